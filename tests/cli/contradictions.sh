. "$CASES/lib.sh"
# Two options of which only one can hold are refused with both places; the same twice is fine.
make_patients
run() { shoal anonymize patients.csv -o out.csv --quasi age --method topdown --quiet "$@"; echo "exit $?"; }
run -k 5 -k 2
run -k 5 --k=2
run -k 3 --rest drop --rest release
run -k 3 --type age=integer --type age=string
run -k 3 --accept single-value --accept range-ends
run -k 3 -o other.csv
run -k 3 --sensitive age
run -k 3 --missing keep --missing drop
ls -A
run -k 3 -k 3 --rest drop --rest drop --type age=integer --type zip=string --quiet --quasi zip
