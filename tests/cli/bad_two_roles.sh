. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 3 --quasi age,sex --sensitive sex
ends
