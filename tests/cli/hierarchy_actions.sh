. "$CASES/lib.sh"
make_patients
make_jobs
# What an action has no use for is not ignored.
shoal hierarchy build patients.csv --column job --lines 3
echo $?
shoal hierarchy check patients.csv --column job job.csv -o x.csv
echo $?
# Without a word a column of texts is flat.
shoal hierarchy build patients.csv --column job
# A missing value has a line of its own.
printf 'job,x\nnurse,1\n,2\n' > missing.csv
shoal hierarchy show missing.csv --column job
# More levels than there can be: the file does not fit.
for job in nurse cook baker teacher; do printf '%s%s;*\n' $job "$(printf ';g%.0s' $(seq 70))"; done > deep.csv
shoal hierarchy check patients.csv --column job deep.csv
echo $?
