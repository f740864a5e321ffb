. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown - -o - -k 3 --quasi age --identifier name,zip,sex,job --insensitive diagnosis < patients.csv
ends
