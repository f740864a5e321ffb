. "$CASES/lib.sh"
    make_patients
    cat > spec.yaml <<'END'
columns:
  age: quasi
  sexx: quasi
  shoe_size: {role: sensitive}
privacy: {k: 3}
END
    shoal anonymize patients.csv -o out.csv --spec spec.yaml
    ends
