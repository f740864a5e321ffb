. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 100000000000000000000 --quasi age
ends
