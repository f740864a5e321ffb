. "$CASES/lib.sh"
make_patients
shoal inspect patients.csv
