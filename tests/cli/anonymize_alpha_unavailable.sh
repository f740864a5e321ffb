. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 3 --alpha 0.5 --quasi age --sensitive diagnosis
ends
