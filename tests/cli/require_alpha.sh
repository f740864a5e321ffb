. "$CASES/lib.sh"
# No value, named values together, named values one by one; then what a recipient can check.
make_patients
release() { shoal anonymize --method topdown patients.csv -o out.csv --quasi age,sex --sensitive diagnosis --identifier name,job,zip --quiet "$@"; }
check() { shoal verify out.csv --quasi age,sex --sensitive diagnosis "$@" | grep -v Seconds; }
release -k 3 --alpha 0.5
check --alpha 0.5 --alpha 0.5:flu --show-values
release -k 3 --alpha 0.7:flu,gout
check --alpha 0.7:flu,gout
printf 'columns: {age: quasi, sex: quasi, diagnosis: sensitive, name: identifier, job: identifier, zip: identifier}\nprivacy:\n  k: 2\n  alpha: {limits: {flu: 0.5, gout: 0.4}}\n' > spec.yaml
shoal anonymize --method topdown patients.csv -o out.csv --spec spec.yaml --quiet
shoal verify out.csv --spec spec.yaml | grep -v Seconds
shoal verify out.csv --quasi age,sex --sensitive diagnosis --alpha 0.4 --quiet
ends
