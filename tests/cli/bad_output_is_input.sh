. "$CASES/lib.sh"
make_patients
cp patients.csv before.csv
shoal anonymize patients.csv -o patients.csv -k 3 --quasi age
echo "exit $?"
ln -s patients.csv link.csv
shoal anonymize patients.csv -o link.csv -k 3 --quasi age
echo "exit $?"
shoal anonymize link.csv -o ./patients.csv -k 3 --quasi age
echo "exit $?"
cmp patients.csv before.csv
ends
