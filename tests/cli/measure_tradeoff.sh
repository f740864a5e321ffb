. "$CASES/lib.sh"
# Asked of anonymize, found by measure: the same figures.
make_patients
columns="--quasi age,sex,job --identifier name,zip --sensitive diagnosis"
shoal anonymize --method topdown patients.csv -o r.csv -k 3 $columns --measure privacy_loss,utility_loss --min-support 0.2
shoal anonymize --method topdown patients.csv -o r.csv -k 3 $columns --measure utility_loss,privacy_loss --min-support 0.2 --json > a.json
shoal measure patients.csv r.csv -k 3 $columns --min-support 0.2 --json > m.json
python3 -c 'import json; a, m = (json.load(open(f)) for f in ("a.json", "m.json")); names = ("privacy_loss", "utility_loss", "populations", "sensitive"); print(all(a[n] == m[n] for n in names)); print(json.dumps({n: m[n] for n in names}, indent=1))'
# One of them, and two sensitive columns.
columns="--quasi age,sex --identifier name,zip --sensitive diagnosis,job"
shoal anonymize --method topdown patients.csv -o r.csv -k 3 $columns --quiet
shoal measure patients.csv r.csv $columns --measure privacy_loss | tail -3
# Populations by intervals of the user's own.
columns="--quasi age,sex --identifier name,zip,job --sensitive diagnosis --measure utility_loss"
shoal measure patients.csv r.csv $columns --populations age=widths:10,20 | grep Utility
printf 'columns: {age: {role: quasi, populations: {breaks: [[40]]}}, sex: quasi, diagnosis: sensitive}' > s.yaml
shoal measure patients.csv r.csv --spec s.yaml --measure utility_loss | grep Utility
# A box per record: a record hides in all rows whose boxes cover it.
printf 'age,ill\n20,a\n21,b\n30,a\n31,b\n' > o.csv
printf 'age,ill\n[20..21],a\n[20..30],b\n[30..31],a\n[21..31],b\n' > b.csv
shoal measure o.csv b.csv --quasi age --sensitive ill --measure privacy_loss | grep Privacy
shoal measure o.csv b.csv --quasi age --sensitive ill --measure privacy_loss --shape records | grep Privacy
