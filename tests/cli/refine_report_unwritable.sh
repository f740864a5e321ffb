. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o a.csv -k 3 --quasi age,sex --identifier name,zip,job --quiet
shoal refine patients.csv a.csv -o b.csv -k 3 --quasi age,sex --identifier name,zip,job --quiet --report gone/report.json
ends
