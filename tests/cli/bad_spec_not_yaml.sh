. "$CASES/lib.sh"
make_patients
printf 'columns:\n  age: {role: quasi\nprivacy: {k: 3}\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
printf 'columns:\n\tage: quasi\n' > tabs.yaml
shoal anonymize patients.csv -o out.csv --spec tabs.yaml
ends
