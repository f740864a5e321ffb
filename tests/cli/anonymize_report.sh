. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age,sex --identifier name,zip,job --insensitive diagnosis --threads 2 --report report.json --quiet
cat report.json
python3 -m json.tool report.json > /dev/null
ends
