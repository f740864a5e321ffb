. "$CASES/lib.sh"
make_patients
# Several sensitive columns are told one by one; insensitive ones stay beside the records.
shoal anonymize patients.csv -o out.csv -k 4 --l distinct:2 --quasi age,zip --sensitive diagnosis,job \
    --identifier name --insensitive sex --method bucketize:from=topdown --json > report.json
python3 - <<'END'
import json
r = json.load(open("report.json"))
print(r["shape"], r["sensitive_table"], r["classes"], r["gcp"], r["holds"], r["cover_checked"])
print(r["note"])
END
cat out.csv out.sensitive.csv
shoal verify out.csv -k 4 --l distinct:2 --quasi age,zip --sensitive diagnosis,job --quiet; echo "exit $?"
shoal verify out.csv -k 4 --quasi age,zip --quiet; echo "exit $?"
shoal verify out.csv -k 7 --quasi age,zip --quiet; echo "exit $?"
