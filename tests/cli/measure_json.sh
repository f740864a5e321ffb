. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o release.csv -k 3 --quasi age,sex --identifier name,zip,job --insensitive diagnosis --quiet
shoal measure patients.csv release.csv --quasi age,sex -k 3 --threads 1 --json > m.json
cat m.json
python3 -m json.tool m.json > /dev/null
