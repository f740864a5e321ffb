. "$CASES/lib.sh"
# No file that a run reads is replaced by one that it writes, however it is spelled.
printf 'job\nnurse\ncook\n' > in.csv
printf 'nurse;*\ncook;*\n' > job.csv
printf 'columns: {job: {role: quasi, hierarchy: job.csv}}\nprivacy: {k: 2}\n' > spec.yaml
cp job.csv before.csv
shoal anonymize in.csv -o job.csv --spec spec.yaml
shoal anonymize in.csv -o ./job.csv -k 2 --quasi job --hierarchy job=job.csv
shoal anonymize in.csv -o ./spec.yaml --spec spec.yaml
shoal anonymize in.csv -o out.json --report ./out.json -k 2 --quasi job
shoal inspect in.csv -o ./spec.yaml --spec spec.yaml
cmp job.csv before.csv
ends
