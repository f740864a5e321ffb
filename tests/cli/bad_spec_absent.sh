. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv --spec spec.yaml
ends
