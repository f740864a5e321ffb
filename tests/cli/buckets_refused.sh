. "$CASES/lib.sh"
make_patients
common="--quasi age,zip,sex"
try() { shoal anonymize "$@"; echo "exit $?"; }
try patients.csv -o out.csv -k 3 $common --method anatomy
try patients.csv -o out.csv -k 3 $common --method bucketize
try patients.csv -o out.csv -k 3 $common --sensitive diagnosis --method anatomy
try patients.csv -o - --l 2 $common --sensitive diagnosis --method anatomy
try patients.csv -o out.csv --l 2 $common --sensitive diagnosis --method anatomy --sensitive-table out.csv
try patients.csv -o out.csv --l 2 $common --sensitive diagnosis --method anatomy --sensitive-table patients.csv
try patients.csv -o out.csv --l 2 $common --sensitive diagnosis --method topdown --sensitive-table other.csv
try patients.csv -o out.csv --l 2 $common --sensitive diagnosis --method anatomy --sensitive-table /dev/null
try patients.csv -o out.csv --k-map 2 --population patients.csv --l 2 $common --sensitive diagnosis --method anatomy
try absent.csv -o out.csv --l 2 $common --method anatomy:from=best
# In a spec, at its place.
printf 'columns: {age: {role: quasi}}\nprivacy: {k: 2}\nmethod: {name: bucketize, from: topdown}\n' > spec.yaml
try patients.csv -o out.csv --spec spec.yaml
ls -A
