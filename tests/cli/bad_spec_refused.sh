# A setting that a run refuses is told by file and line where a file made it, else by its option.
shoal generate census --records 40 --seed 3 -o in.csv --quiet
run() { shoal anonymize in.csv -o never.csv --quasi age,sex --sensitive income --spec spec.yaml "$@"; echo "exit $?"; }
printf 'privacy: {k: 5}\nmethod: topdown\neffort: high\n' > spec.yaml
run
run --effort fast
printf 'privacy: {k: 5}\nmethod: incognito\nmemory: 64M\n' > spec.yaml
run
run --memory 64M
printf 'privacy: {k: 5}\noutput:\n  sensitive_table: table.csv\n' > spec.yaml
run
run --sensitive-table other.csv
printf 'privacy:\n  k: 5\n  l: 2\nmethod: nonhomogeneous\n' > spec.yaml
run
run --l 3
