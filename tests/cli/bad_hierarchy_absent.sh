. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 2 --quasi job --hierarchy job=job.csv
ends
