. "$CASES/lib.sh"
# What anonymize reports is what measure finds, whatever the notation.
make_patients
for form in "--numeric range" "--numeric minmax" "--categorical set" "--keep-order"; do
    shoal anonymize --method topdown patients.csv -o r.csv -k 3 --quasi age,sex,job --identifier name,zip $form --json > a.json
    shoal measure patients.csv r.csv -k 3 --quasi age,sex,job --json > m.json
    python3 -c 'import json; a, m = (json.load(open(f)) for f in ("a.json", "m.json")); print(all(a[n] == m[n] for n in ("records", "classes", "smallest_class", "ncp", "gcp", "discernibility", "average_class_size", "distortion_ratio", "columns", "class_sizes")))'
done
