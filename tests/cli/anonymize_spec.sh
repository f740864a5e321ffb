. "$CASES/lib.sh"
    make_patients
    make_jobs
    mkdir specs && mv job.csv specs
    cat > specs/patients.yaml <<'END'
columns:
  name: {role: identifier}
  age: {role: quasi, type: integer, weight: 2}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  sex: identifier
  job: {role: quasi, hierarchy: job.csv}
  diagnosis: {role: sensitive}
privacy: {k: 4}
output: {order: keep}
END
    shoal anonymize --method topdown patients.csv -o a.csv --spec specs/patients.yaml --quiet
    cat a.csv
    # Flags override the spec.
    shoal anonymize --method topdown patients.csv -o b.csv --spec specs/patients.yaml -k 12 --identifier job --quiet
    ends
