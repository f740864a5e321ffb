. "$CASES/lib.sh"
make_patients
make_jobs
echo pilot >> job.csv
shoal anonymize patients.csv -o out.csv -k 2 --quasi job --hierarchy job=job.csv
ends
