. "$CASES/lib.sh"
# Refused before any work, with what could be asked for; no file is left.
make_patients
try() {
    shoal anonymize patients.csv -o out.csv --quasi age,sex --sensitive diagnosis --identifier name,job,zip "$@"
    echo "exit $?"
}
try --alpha 0.4
try --alpha 0.4 --show-values
try --alpha 0.1:gout
try --alpha 0.3:gout,measles
try --l 3
try --l distinct:5
try --l entropy:3.9
try --l recursive:1:4
try --l recursive:0.01:1
try -k 13 --t 0
printf 'columns: {age: quasi, diagnosis: sensitive}\nprivacy: {alpha: {limits: {flu: 0.9, gout: 0.1}}}\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
ends
