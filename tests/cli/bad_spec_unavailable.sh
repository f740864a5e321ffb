. "$CASES/lib.sh"
make_patients
printf 'columns: {age: quasi, diagnosis: sensitive}\nprivacy:\n  k: 3\n  l: {value: 3, kind: frequency}\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
ends
