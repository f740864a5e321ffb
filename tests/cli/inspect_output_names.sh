. "$CASES/lib.sh"
make_patients
shoal inspect patients.csv -o patients.csv
shoal inspect patients.csv -o spec.json
ends
