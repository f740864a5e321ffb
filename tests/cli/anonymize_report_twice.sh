. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 3 --quasi age --report out.html --report-external ./out.html
ends
