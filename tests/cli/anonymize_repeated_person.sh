. "$CASES/lib.sh"
# 20 visits of 7 patients: nobody says that it is patients who are to be counted.
{ echo patient_no,visit_id,age; for i in $(seq 20); do echo "p$((i * i % 8 + i % 3)),v$i,$((i % 4))"; done; } > in.csv
cut -d, -f1 in.csv | tail -n +2 | sort -u | wc -l
echo '--- undecided' >&2
shoal anonymize in.csv -o out.csv -k 3 --quasi age --quiet
head -n 2 out.csv
echo '--- an identifier' >&2
shoal anonymize in.csv -o out.csv -k 3 --quasi age --identifier patient_no --quiet
echo '--- released' >&2
shoal anonymize in.csv -o out.csv -k 3 --quasi age --insensitive patient_no --quiet
echo '--- in JSON, and accepted' >&2
shoal anonymize in.csv -o out.csv -k 3 --quasi age --json --accept repeated-person | grep -A4 '"warnings"'
echo '--- strict: nothing is written' >&2
rm out.csv
shoal anonymize in.csv -o out.csv -k 3 --quasi age --strict --quiet; echo "exit $?"
ls out.csv 2> /dev/null
echo '--- refined' >&2
shoal anonymize in.csv -o out.csv -k 3 --quasi age --quiet 2> /dev/null
shoal refine in.csv out.csv -o better.csv -k 3 --quasi age --quiet
echo '--- frontier' >&2
shoal frontier in.csv --quasi age --sweep k=2,3 --try topdown --quiet > /dev/null
echo '--- persons, a number that is each one'"'"'s alone, and none at all' >&2
shoal anonymize in.csv -o out.csv -k 3 --quasi age --person patient_no --quiet
cut -d, -f2,3 in.csv > alone.csv
shoal anonymize alone.csv -o out.csv -k 3 --quasi age --quiet
cut -d, -f3 in.csv > none.csv
shoal anonymize none.csv -o out.csv -k 3 --quasi age --quiet
echo '--- a number that is of wards: two for all' >&2
{ echo patient_no,age; for i in $(seq 60); do echo "p$((i % 2)),$((i % 4))"; done; } > wards.csv
shoal anonymize wards.csv -o out.csv -k 3 --quasi age --quiet
echo '--- classes of one value tell on people: each once' >&2
printf 'who,age,ill\nA,30,x\nB,30,x\nA,50,y\nC,50,y\nA,30,x\nD,70,x\nE,70,y\n' > told.csv
shoal anonymize told.csv -o out.csv -k 2 --quasi age --sensitive ill --person who --method topdown --quiet
