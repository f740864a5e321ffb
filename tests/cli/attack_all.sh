. "$CASES/lib.sh"
make_patients
columns="--quasi age,sex --sensitive diagnosis --identifier name,zip,job"
attacks="--attacks linkage,homogeneity,definetti,matching"
# Two classes, by hand: six candidates each; flu, asthma, measles against flu, asthma, gout.
awk -F, 'BEGIN { print "age,sex,diagnosis" } NR > 1 { print (NR < 8 ? "[24..34]" : "[38..55]") ",*," $6 }' patients.csv > release.csv
shoal attack patients.csv release.csv $columns $attacks -k 6 --l distinct:3
shoal attack patients.csv release.csv $columns $attacks --alpha 0.5 --threads 1 > one
shoal attack patients.csv release.csv $columns $attacks --alpha 0.5 --threads 4 > four
diff <(grep -v Seconds one) <(grep -v Seconds four) && grep -o 'definetti.*' one | grep -o ';.*'
echo '--- one value alone in a class'
sed 's/\[38..55\],\*,.*/[38..55],*,gout/' release.csv > sure.csv
sed 's/^\(Gus\|Joe\|Kim\),\(.*\),[a-z]*$/\1,\2,gout/' patients.csv > patients2.csv
shoal attack patients2.csv sure.csv $columns --attacks homogeneity --l distinct:2
echo '--- presence'
awk -F, 'BEGIN { print "age,sex" } NR > 1 { print $2 "," $4; print $2 "," $4; if (NR < 5) print $2 "," $4 }' patients.csv > people.csv
shoal attack patients.csv release.csv $columns --attacks presence --population people.csv --presence 0.5
echo '--- a box per record, buckets, people left out'
awk -F, 'BEGIN { print "age,sex,diagnosis"; split("24 24 25 27 30 31 34 38 41 45 47 52", lo, " "); split("25 27 30 31 34 38 41 45 47 52 55 55", hi, " ") } NR > 1 { print "[" lo[NR - 1] ".." hi[NR - 1] "],*," $6 }' patients.csv > boxes.csv
shoal attack patients.csv boxes.csv $columns $attacks -k 2 --shape records
awk -F, 'BEGIN { print "bucket,age,sex" } NR > 1 { print 1 + (NR > 7) "," $2 "," $4 }' patients.csv > buckets.csv
printf 'bucket,column,value,count\n1,diagnosis,asthma,2\n1,diagnosis,flu,3\n1,diagnosis,measles,1\n2,diagnosis,asthma,1\n2,diagnosis,flu,2\n2,diagnosis,gout,3\n' > buckets.sensitive.csv
shoal attack patients.csv buckets.csv $columns $attacks -k 6 --l 2
head -n 10 release.csv > short.csv
shoal attack patients.csv short.csv $columns $attacks -k 3
ends
