. "$CASES/lib.sh"
make_patients
shoal anonymize - -o - -k 3 --quasi age --identifier name,zip,sex,job < patients.csv
ends
