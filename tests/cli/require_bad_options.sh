. "$CASES/lib.sh"
make_patients
try() {
    shoal anonymize patients.csv -o out.csv --quasi age,sex --identifier name,job,zip "$@"
    echo "exit $?"
}
try --alpha 0.5
for bad in "--alpha 0" "--alpha 1.5" "--alpha nan" "--alpha 0.5:HIV" "--alpha 0.5:flu,flu" "--alpha job=0.5" "--alpha age=0.5" \
    "--l 0.9" "--l distinct:2.5" "--l distict:2" "--l recursive:2" "--t=-0.1" "--t 2" "--t emd:0.1" "--t ordered:0.1" \
    "--t hierarchical:0.1" "--delta=-1" "--delta NaN" "--beta=-1" "--beta better:1" "--suppress 1"; do
    try --sensitive diagnosis $bad
done
shoal anonymize patients.csv -o out.csv --quasi age,diagnosis --sensitive diagnosis --alpha 0.5
ends
