# A hospital's file (invented: 5,000 patients, 8,721 visits), as somebody new would take it, and decided.
python3 "$SOURCE/tests/hospital.py" > visits.csv
wc -l < visits.csv
warned() { python3 -c 'import json; r = json.load(open("told.json")); print(r["passed"], r["published"], *((w["code"], w["column"]) for w in r["warnings"]), sep="\n  ")'; }
quasi="--quasi birth_date,zip,sex --hierarchy zip=prefix:5 --sensitive diagnosis --method mondrian -k 5 --quiet"
# All columns go out: every one that must not is named, and nothing is published by --strict.
shoal anonymize visits.csv -o out.csv $quasi --rest release --strict --json > told.json 2> /dev/null
echo "exit $?"; warned
# Without a role they stay; what is left speaks of the ends of ranges, of people and of classes.
shoal anonymize visits.csv -o out.csv $quasi --keep-order --json > told.json 2> /dev/null
echo "exit $?"; warned
head -1 out.csv
cp out.csv by_records.csv
python3 "$SOURCE/tests/hospital.py" --count out.csv visits.csv 5 birth_date,zip,sex
# Decided.
cat > spec.yaml <<'YAML'
columns:
  patient_id: person
  ssn: identifier
  email: identifier
  birth_date: {role: quasi, grid: 1 month}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  sex: quasi
  diagnosis: sensitive
  ward: insensitive
  visit_date: identifier
privacy: {k: 5, l: {value: 2, kind: distinct}}
method: mondrian
strict: true
YAML
shoal anonymize visits.csv -o out.csv --spec spec.yaml --keep-order --json > told.json
echo "exit $?"; warned
python3 "$SOURCE/tests/hospital.py" --count out.csv visits.csv 5 birth_date,zip,sex
shoal verify out.csv --spec spec.yaml --json > told.json
echo "exit $?"
# Beside the original persons are counted: of this release, in its order and in another, and of the one by records.
shoal verify out.csv --spec spec.yaml --original visits.csv | grep -v Seconds; echo "exit ${PIPESTATUS[0]}"
{ head -1 out.csv; tail -n +2 out.csv | sort; } > sorted.csv
shoal verify sorted.csv --spec spec.yaml --original visits.csv --quiet; echo "exit $?"
shoal verify by_records.csv --quasi birth_date,zip,sex --hierarchy zip=prefix:5 -k 5 --person patient_id --original visits.csv |
    grep -v Seconds; echo "exit ${PIPESTATUS[0]}"
# Dates of birth are one person's each: without a grid the ends of ranges tell them.
sed 's/, grid: 1 month//' spec.yaml > ends.yaml
shoal anonymize visits.csv -o never.csv --spec ends.yaml --json > told.json 2> /dev/null
echo "exit $?"; warned
# The gate: a release with an identifier, and with the column of persons.
paste -d, <(cut -d, -f1 visits.csv) out.csv > with_person.csv
shoal verify with_person.csv --spec spec.yaml --quiet; echo "exit $?"
paste -d, <(cut -d, -f2 visits.csv) out.csv > with_ssn.csv
shoal verify with_ssn.csv --spec spec.yaml --quiet; echo "exit $?"
