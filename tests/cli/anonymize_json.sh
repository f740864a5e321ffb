. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age --identifier name,zip,job,sex --json > result.json
python3 -c 'import json; r = json.load(open("result.json")); print(r["records"], r["classes"], r["smallest_class"], r["holds"], sorted(r["seconds"]))'
ends
