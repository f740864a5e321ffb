. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o - -k 3 --quasi age --identifier zip,sex,job --rest release --keep-order --quiet
