. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 2.5 --quasi age
ends
