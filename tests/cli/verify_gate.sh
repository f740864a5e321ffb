. "$CASES/lib.sh"
# A gate before publishing: what the spec never releases must not be in the file, and what nobody decided on is listed.
printf 'age,ssn,ill\n[1..2],x1,a\n[1..2],x2,b\n' > release.csv
printf 'columns: {age: quasi, ssn: identifier, ill: sensitive}\nprivacy: {k: 2}\n' > spec.yaml
shoal verify release.csv --spec spec.yaml; echo "exit $?"
shoal verify release.csv --spec spec.yaml --json > told.json; echo "exit $?"
read_json() { python3 -c 'import json; r = json.load(open("told.json")); print(r["schema"], r["holds"], r["passed"], r["must_not_be_released"], [(w["code"], w["column"], w["accepted"]) for w in r["warnings"]])'; }
read_json
cut -d, -f1,3 release.csv > clean.csv
shoal verify clean.csv --spec spec.yaml --strict | grep -v Seconds; echo "exit ${PIPESTATUS[0]}"
# A column that nobody decided on: a warning; by --strict no pass; accepted, or the rest is released.
printf 'age,ill,ward\n[1..2],a,n\n[1..2],b,n\n' > ward.csv
shoal verify ward.csv --spec spec.yaml --quiet; echo "exit $?"
shoal verify ward.csv --spec spec.yaml --strict | grep -v Seconds; echo "exit ${PIPESTATUS[0]}"
shoal verify ward.csv --spec spec.yaml --strict --json --quiet > told.json; echo "exit $?"
read_json
shoal verify ward.csv --spec spec.yaml --strict --accept unknown-column --json > told.json; echo "exit $?"
read_json
shoal verify ward.csv --spec spec.yaml --strict --rest release --quiet; echo "exit $?"
# Pairs of numbers and numbers of buckets are columns of the spec.
printf 'age_min,age_max,ill\n1,2,a\n1,2,b\n' > pair.csv
shoal verify pair.csv --spec spec.yaml --strict --quiet; echo "exit $?"
printf 'bucket,age\n1,1\n1,2\n' > b.csv; printf 'bucket,column,value,count\n1,ill,a,1\n1,ill,b,1\n' > b.sensitive.csv
shoal verify b.csv --spec spec.yaml --strict --quiet; echo "exit $?"
# A failure is JSON, too.
shoal verify absent.csv --spec spec.yaml --json 2> /dev/null; echo "exit $?"
shoal verify clean.csv -k 2 --quasi 'a"b' --json 2> /dev/null; echo "exit $?"
