. "$CASES/lib.sh"
make_patients
printf 'columns:\n  age: quasi\n  sex: quasi\n  age: sensitive\nprivacy: {k: 3}\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
ends
