. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o release.csv -k 3 --quasi age,zip,sex --identifier name --sensitive diagnosis
echo "exit $?"
cat release.csv
ls -A
