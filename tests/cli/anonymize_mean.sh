. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o - -k 3 --quasi age,sex --identifier name,zip,job --insensitive diagnosis --numeric mean --quiet
