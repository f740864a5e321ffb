. "$CASES/lib.sh"
make_patients
shoal inspect patients.csv --quasi age,sex --json > i.json
cat i.json
python3 -m json.tool i.json > /dev/null
