. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 1000000000000 --quasi age
ends
