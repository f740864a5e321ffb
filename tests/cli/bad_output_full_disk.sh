. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o /dev/full -k 3 --quasi age
echo "exit $?"
shoal anonymize patients.csv -o - -k 3 --quasi age > /dev/full
echo "exit $?"
shoal anonymize patients.csv -o out.csv -k 3 --quasi age --json > /dev/full
echo "exit $?"
shoal generate uniform --records 10 > /dev/full
echo "exit $?"
shoal --help > /dev/full
echo "exit $?"
ls -A
