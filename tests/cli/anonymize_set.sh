. "$CASES/lib.sh"
make_patients
make_jobs
shoal anonymize --method topdown patients.csv -o - -k 6 --quasi job --hierarchy job=job.csv --identifier name,zip,age,sex --insensitive diagnosis --categorical set --quiet
