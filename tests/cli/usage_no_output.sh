. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -k 3 --quasi age
ends
