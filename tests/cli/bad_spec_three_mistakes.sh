. "$CASES/lib.sh"
    make_patients
    cat > spec.yaml <<'END'
columns:
  age: {role: quasi, wieght: 2}
  sex: {role: quasy}
privacy:
  k: few
END
    shoal anonymize patients.csv -o out.csv --spec spec.yaml
    ends
