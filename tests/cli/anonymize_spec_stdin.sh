. "$CASES/lib.sh"
make_patients
printf 'columns: {age: quasi, name: identifier}\nprivacy: {k: 3}\n' |
    shoal anonymize --method topdown patients.csv -o out.csv --spec - --quiet
ends
