. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age,sex --identifier name,zip,job --quiet
shoal risk patients.csv --quasi age,sex --identifier name,zip,job
shoal risk patients.csv out.csv --quasi age,sex --identifier name,zip,job -k 3 --sampling-fraction 0.05
shoal risk patients.csv out.csv --quasi age,sex --json | python3 -m json.tool > /dev/null
ends
