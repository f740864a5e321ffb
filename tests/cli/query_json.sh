. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o release.csv -k 3 --quasi age,sex --identifier name,zip --insensitive job,diagnosis --quiet --method mondrian
shoal query release.csv "COUNT WHERE age < 40 AND job = nurse" --quasi age,sex --original patients.csv --json
shoal query release.csv "COUNT WHERE age < 40 AND job = nurse" --quasi age,sex --json --estimator marginal
shoal query - "COUNT" --quasi age,sex --report report.json --quiet < release.csv
python3 -c 'import json; print(json.load(open("report.json"))["estimate"])'
