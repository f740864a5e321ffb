. "$CASES/lib.sh"
make_patients
make_jobs
grep -v cook job.csv > few.csv
shoal anonymize patients.csv -o out.csv -k 2 --quasi job,zip,sex --hierarchy job=few.csv --hierarchy sex=widths:5
ends
