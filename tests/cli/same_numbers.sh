# 7, 7.0, 07 and +7 are one number, and so one sensitive value to every requirement; digits that differ tell long ones apart.
printf 'age,ill\n30,7\n30,7.0\n30,07\n30,+7\n31,7\n31,8\n31,9\n31,9.0\n' > a.csv
for privacy in "--l distinct:2" "--l 2" "--l entropy:1.5" "--l recursive:2:3" "--alpha 0.6" "--t 0.4" "--delta 1" "--beta 1"; do
    echo "== $privacy"
    shoal verify a.csv --quasi age --sensitive ill $privacy | sed -n 3p
done
echo "== as texts"
shoal verify a.csv --quasi age --sensitive ill --l distinct:2 --type ill=string | sed -n 3p
echo "== methods"
for method in best topdown bottomup mondrian specialize hilbert cluster incognito exact; do
    shoal anonymize a.csv -o release.csv --quasi age --sensitive ill --l distinct:2 --method $method --strict --accept range-ends 2>&1 \
        | grep -E '^(Classes|Verified|Rows)' | sed "s/^/$method: /"
done
echo "== buckets"
shoal anonymize a.csv -o release.csv --quasi age --sensitive ill --l distinct:2 --method anatomy --sensitive-table values.csv > anatomy.txt 2>&1 || cat anatomy.txt
shoal anonymize a.csv -o release.csv --quasi age --sensitive ill --l distinct:2 --method bucketize --sensitive-table values.csv 2>&1 | grep Verified
cut -d, -f3,4 values.csv | sort
echo "== memory"
shoal anonymize a.csv -o whole.csv --quasi age --sensitive ill --l distinct:2 --method mondrian --quiet
shoal anonymize a.csv -o parts.csv --quasi age --sensitive ill --l distinct:2 --method mondrian --quiet --memory 64M
cmp whole.csv parts.csv
echo "== long and strange"
printf 'age,ill\n30,12345678901234567890\n30,12345678901234567891\n31,1e2\n31,100\n31,.5\n31,0.50\n31,-0\n31,0\n' > long.csv
shoal verify long.csv --quasi age --sensitive ill --l distinct:3 | sed -n 3p
echo "== decimal commas"
printf 'age;ill\n30;7,0\n30;7\n30;1.000\n30;1000,00\n' > comma.csv
shoal anonymize comma.csv -o release.csv -k 2 --quasi age --sensitive ill --l distinct:2 --decimal , --thousands . 2>&1 | grep Verified
echo "== a named value"
shoal verify a.csv --quasi age --sensitive ill --alpha 0.5:7.00 | sed -n 3p
