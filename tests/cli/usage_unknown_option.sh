. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv --quassi age -k 3 -o out.csv
ends
