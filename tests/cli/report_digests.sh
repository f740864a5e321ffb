# The digests of a report are those of the files, of every file that a run read.
. "$CASES/lib.sh"
make_patients
common="--quasi age,zip,sex --sensitive diagnosis"
shoal anonymize patients.csv -o b.csv --l 2 $common --identifier name --method anatomy --quiet
shoal anonymize patients.csv -o n.csv -k 2 --quasi age,zip,sex --identifier name --method nonhomogeneous --quiet
shoal measure patients.csv b.csv $common --report measure.json --quiet
shoal verify b.csv --l 2 $common --report verify.json --quiet
shoal verify n.csv --original patients.csv -k 2 --quasi age,zip,sex --report records.json --quiet
shoal verify n.csv --original patients.csv -k 2 --quasi age,zip,sex --report records.html --quiet
check() {
    python3 - "$@" <<'END'
import hashlib, json, sys
report, *files = sys.argv[1:]
told = json.load(open(report))["sha256"]
names = dict(pair.split("=") for pair in files)
true = {key: hashlib.sha256(open(name, "rb").read()).hexdigest() for key, name in names.items()}
print(report, sorted(told), told == true)
END
}
check measure.json input=patients.csv release=b.csv sensitive_table=b.sensitive.csv
check verify.json release=b.csv sensitive_table=b.sensitive.csv
check records.json input=patients.csv release=n.csv
grep -o "no SHA-256" records.html || echo "the page has them all"
