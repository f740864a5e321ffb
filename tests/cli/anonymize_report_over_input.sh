. "$CASES/lib.sh"
make_patients
cp patients.csv patients.json
shoal anonymize patients.json -o out.csv -k 3 --quasi age --report patients.json
ends
