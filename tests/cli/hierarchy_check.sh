. "$CASES/lib.sh"
make_patients
make_jobs
shoal hierarchy check patients.csv --column job job.csv
echo "exit $?"
grep -v cook job.csv > few.csv
shoal hierarchy check patients.csv --column job few.csv
echo "exit $?"
shoal hierarchy check patients.csv --column job few.csv --show-values
echo "exit $?"
shoal hierarchy check patients.csv --column jobb job.csv
echo "exit $?"
shoal hierarchy check gone.csv --column job job.csv
echo "exit $?"
shoal hierarchy check patients.csv --column job job.csv --json
