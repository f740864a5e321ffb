. "$CASES/lib.sh"
make_patients
make_jobs
shoal anonymize --method topdown patients.csv -o - -k 3 --quasi zip,job,age --identifier name,sex --insensitive diagnosis \
    --hierarchy zip=prefix:5 --hierarchy job=job.csv --hierarchy age=widths:10,20 --weight age=4 --quiet
