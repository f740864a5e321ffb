. "$CASES/lib.sh"
# A warning is a reason not to publish under --strict, unless somebody accepts it: exit code 4 and no file.
make_patients
roles="-k 3 --quasi age,zip --identifier name --sensitive diagnosis --method topdown"
shoal anonymize patients.csv -o out.csv $roles --insensitive job --strict
echo "exit $?"
shoal anonymize patients.csv -o out.csv $roles --insensitive job --strict --json --quiet > told.json
echo "exit $?"
python3 -c 'import json; r = json.load(open("told.json")); print(r["holds"], r["published"], [(w["code"], w["column"], w["accepted"]) for w in r["warnings"]])'
# Nothing goes to standard output, and no report is written.
shoal anonymize patients.csv -o - $roles --insensitive job --strict --quiet --report report.html | wc -c
echo "exit ${PIPESTATUS[0]}"
ls -A
# Accepted, and one of two accepted.
shoal anonymize patients.csv -o out.csv $roles --insensitive job --strict --accept quasi-like-column
echo "exit $?"
rm out.csv
shoal anonymize patients.csv -o out.csv $roles --insensitive job --rest release --strict --accept quasi-like-column --quiet
echo "exit $?"
sed -i '1s/sex/phone/' patients.csv
shoal anonymize patients.csv -o out.csv $roles --insensitive job --rest release --strict --accept quasi-like-column --quiet
echo "exit $?"
# In the spec; within a limit of memory; and clean.
printf 'columns: {age: quasi, zip: quasi, name: identifier, diagnosis: sensitive, job: insensitive}\nprivacy: {k: 3}\nmethod: topdown\nstrict: true\naccept: [quasi-like-column, single-value]\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml 2>&1 | grep -v Seconds
rm out.csv
shoal anonymize patients.csv -o out.csv --spec spec.yaml --accept single-value --memory 128M --threads 1 --quiet
echo "exit $?"
shoal anonymize patients.csv -o out.csv $roles --strict --quiet
echo "exit $?"
# Classes of one value: k without diversity, also within a limit of memory and by buckets.
printf 'age,ill\n1,a\n1,a\n2,a\n2,b\n3,b\n3,b\n' > ill.csv
shoal anonymize ill.csv -o out.csv -k 2 --quasi age --sensitive ill --method topdown --quiet
shoal anonymize ill.csv -o out.csv -k 2 --quasi age --sensitive ill --method topdown --quiet --memory 128M --threads 1
shoal anonymize ill.csv -o out.csv -k 2 --quasi age --sensitive ill --method bucketize:from=topdown --quiet
# Mistakes.
shoal anonymize patients.csv -o out.csv $roles --accept quasi-like-colum
shoal anonymize patients.csv -o out.csv $roles --accept nothing
printf 'columns: {age: quasi}\nprivacy: {k: 3}\nstrict: maybe\naccept: [single-value, doubts]\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
ends
