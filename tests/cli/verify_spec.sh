. "$CASES/lib.sh"
# A spec made for the original serves for its release, which lacks the identifiers.
make_patients
printf 'columns: {name: identifier, age: {role: quasi, weight: 2}}\nprivacy: {k: 3}\n' > spec.yaml
shoal anonymize --method topdown patients.csv -o release.csv --spec spec.yaml --quiet
shoal verify release.csv --spec spec.yaml
