. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k -1 --quasi age
ends
