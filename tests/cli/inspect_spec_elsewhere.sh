. "$CASES/lib.sh"
# The spec may lie in another folder than the files that it names, whoever named them.
make_patients
mkdir specs given
cut -d, -f5 patients.csv | tail -n +2 | sort -u | sed 's/$/;work;*/' > given/job.csv
shoal inspect patients.csv --hierarchy job=given/job.csv -o specs/a.yaml --quiet
shoal anonymize patients.csv -o a.csv --spec specs/a.yaml --method topdown --quiet && echo "a runs"
printf 'columns:\n  job: {role: quasi, hierarchy: job.csv}\nprivacy: {k: 2}\n' > given/b.yaml
shoal inspect patients.csv --spec given/b.yaml -o specs/b.yaml --quiet
shoal anonymize patients.csv -o b.csv --spec specs/b.yaml --method topdown --quiet && echo "b runs"
grep -E '^  k:' specs/b.yaml
grep -c 'file: "/.*given/job.csv"' specs/a.yaml specs/b.yaml
