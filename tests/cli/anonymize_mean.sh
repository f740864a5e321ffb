. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o - -k 3 --quasi age,sex --identifier name,zip,job --numeric mean --quiet
