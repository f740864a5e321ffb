. "$CASES/lib.sh"
make_patients
make_jobs
ask() {
    shoal query patients.csv "$@" --quasi age,sex,job --hierarchy job=job.csv --original patients.csv
    echo "exit $?"
}
ask "CUONT WHERE age < 40"
ask "COUNT age < 40"
ask "COUNT WHERE age"
ask "COUNT WHERE age = 'forty"
ask "COUNT WHERE age BETWEEN 30 OR 40"
ask "COUNT WHERE age IN (30; 40)"
ask "COUNT WHERE age IN (30, 40"
ask "COUNT WHERE age < 40 sex = F"
ask "COUNT WHERE age < AND sex = F"
ask "COUNT(age)"
ask "SUM age"
ask ""
# Columns and values that are not there; what cells hold is not told.
ask "COUNT WHERE agee < 40"
ask "COUNT WHERE job = kitchn"
ask "COUNT WHERE diagnosis = fluu"
ask "COUNT WHERE sex = X"
ask "COUNT WHERE age < young"
ask "COUNT WHERE sex < F"
ask "COUNT WHERE age = young"
ask "SUM(job)"
# Other mistakes of usage.
ask
ask "COUNT" --workload lili
ask "COUNT" --estimator best
shoal query - "COUNT" --quasi age --original - < patients.csv
echo "exit $?"
# A release that is not one of the original.
sed 's/measles/mumps/' patients.csv > other.csv
shoal query other.csv "COUNT WHERE diagnosis = mumps" --quasi age --original patients.csv
echo "exit $?"
{ cat patients.csv; tail -1 patients.csv; } > more.csv
shoal query more.csv "COUNT" --quasi age --original patients.csv
echo "exit $?"
