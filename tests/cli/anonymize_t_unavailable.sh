. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 3 --t 0.2 --quasi age --sensitive diagnosis
ends
