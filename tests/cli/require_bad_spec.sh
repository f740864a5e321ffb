. "$CASES/lib.sh"
# Every mistake at its line and column, those that only the data show too.
make_patients
cat > spec.yaml <<'YAML'
columns: {age: quasi, diagnosis: sensitive, job: insensitive}
privacy:
  alpha: {value: 2}
  l: {value: 2, kind: distnct}
  t: {value: .nan, distance: emd}
  delta: {value: -1}
  beta: [1, {value: -1}]
suppress: -1
YAML
shoal anonymize patients.csv -o out.csv --spec spec.yaml
echo "exit $?"
cat > spec.yaml <<'YAML'
columns: {age: quasi, diagnosis: sensitive, job: insensitive}
privacy:
  alpha: [{value: 0.9, values: [HIV]}, {limits: {flu: 0.9, flu: 0.5}}]
  t: {value: 0.1, distance: ordered}
YAML
shoal anonymize patients.csv -o out.csv --spec spec.yaml
echo "exit $?"
printf 'columns: {age: quasi, diagnosis: sensitive}\nprivacy:\n  l: {value: 2, column: age}\n  t: {value: 1, column: job}\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
echo "exit $?"
printf 'columns: {age: quasi}\nprivacy: {l: 2}\n' > spec.yaml
shoal verify patients.csv --spec spec.yaml
ends
