. "$CASES/lib.sh"
make_patients
mkdir out.csv
shoal anonymize patients.csv -o out.csv -k 3 --quasi age
ends
