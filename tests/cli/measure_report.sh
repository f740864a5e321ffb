. "$CASES/lib.sh"
make_patients
cp patients.csv release.csv
shoal measure - release.csv --quasi age --report report.json --quiet < patients.csv
echo "exit $?"
python3 -c 'import json; print(json.load(open("report.json"))["gcp"])'
shoal measure patients.csv release.csv --quasi age --report no/report.json --quiet
ends
