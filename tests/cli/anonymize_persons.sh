. "$CASES/lib.sh"
# A is 30 and was there three times, B is 31: two persons are needed, so all are one class.
printf 'who,age,ill\nA,30,x\nA,30,y\nA,30,z\nB,31,x\n' > visits.csv
echo '--- records'
shoal anonymize visits.csv -o rows.csv -k 1 --quasi age --sensitive ill --identifier who
cat rows.csv
echo '--- persons'
shoal anonymize visits.csv -o out.csv -k 2 --quasi age --sensitive ill --person who --l distinct:3
cat out.csv
echo '--- a release alone'
shoal verify out.csv -k 2 --quasi age --sensitive ill --person who
shoal verify out.csv -k 2 --quasi age --person who --json | grep -E 'counted|persons'
