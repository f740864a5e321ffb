. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o no/such/out.csv -k 3 --quasi age
ends
