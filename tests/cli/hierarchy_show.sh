. "$CASES/lib.sh"
make_patients
make_jobs
shoal hierarchy show patients.csv --column job job.csv
shoal hierarchy show patients.csv --column zip --prefix 0 --lines 4
