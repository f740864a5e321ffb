. "$CASES/lib.sh"
# A was there three times: a class of three records, and one person who is found for sure.
printf 'who,age,ill\nA,30,x\nA,30,y\nB,31,x\nA,30,z\nB,31,y\nC,31,y\n' > visits.csv
printf 'age,ill\n30,z\n31,x\n31,y\n30,x\n30,y\n31,y\n' > rows.csv
printf 'age,ill\n[30..31],y\n[30..31],x\n[30..31],y\n[30..31],z\n[30..31],x\n[30..31],y\n' > persons.csv
for release in rows persons; do
    echo "--- $release.csv: records, then persons"
    shoal risk visits.csv $release.csv --quasi age --sensitive ill | grep -A3 -i prosecutor
    shoal risk visits.csv $release.csv --quasi age --sensitive ill --person who | grep -A3 -i prosecutor
done
echo '--- a release that leaves records out: rows are counted'
head -4 rows.csv > short.csv
shoal risk visits.csv short.csv --quasi age --sensitive ill --person who | grep -A3 -i prosecutor
