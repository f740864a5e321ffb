. "$CASES/lib.sh"
make_patients
shoal anonymize - -o out.csv --spec - < patients.csv
shoal measure - - --quasi age < patients.csv
ends
