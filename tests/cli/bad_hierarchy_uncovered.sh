. "$CASES/lib.sh"
make_patients
make_jobs
grep -v -e cook -e baker job.csv > few.csv
shoal anonymize patients.csv -o out.csv -k 2 --quasi job --hierarchy job=few.csv
ends
