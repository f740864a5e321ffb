. "$CASES/lib.sh"
make_patients
run() {
    shoal anonymize patients.csv -o release.csv -k 3 --quasi age,zip --identifier name --method "${METHOD:-nonhomogeneous}" "$@"
    echo "exit $?"
}
run --t 0.5 --sensitive diagnosis
run --l 2 --sensitive diagnosis
run --suppress 0.1
run --numeric median
run --keep-order
METHOD=nonhomogeneous:partition=anatomy run
shoal verify patients.csv --original patients.csv --l 2 --quasi age --sensitive diagnosis
cp patients.csv table.json
shoal verify patients.csv --original table.json -k 2 --quasi age --report table.json
ends
