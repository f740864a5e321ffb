. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o - -k 3 --quasi age --identifier zip,sex,job --keep-order --quiet
