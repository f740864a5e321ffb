. "$CASES/lib.sh"
# Every sensitive column, or one of them; options replace the spec's of their key and add up.
make_patients
cat > spec.yaml <<'YAML'
columns:
  name: identifier
  zip: identifier
  age: quasi
  sex: quasi
  job: sensitive
  diagnosis: sensitive
privacy:
  k: 2
  l: [2, {value: 3, kind: distinct, column: diagnosis}]
  t: {value: 0.5, distance: equal, column: job}
YAML
shoal anonymize --method topdown patients.csv -o out.csv --spec spec.yaml --quiet
shoal verify out.csv --spec spec.yaml | grep -v Seconds
shoal verify out.csv --spec spec.yaml --l job=distinct:2 --l diagnosis=distinct:2 --t job=0.9 | grep -v Seconds
