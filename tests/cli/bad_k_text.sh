. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k abc --quasi age
ends
