# Effort and time: as flags, in a spec, for methods that search and for those that do not.
shoal generate census --records 300 --seed 3 -o in.csv --quiet
run() { shoal anonymize in.csv -o "$1" -k 5 --accept range-ends --quasi age,sex,zip --quiet "${@:2}"; }
run fast.csv --effort fast
run colon.csv --method best:effort=fast
run timed.csv --time 0.05s
run again.csv --effort fast --threads 1
cmp fast.csv colon.csv && cmp fast.csv again.csv && echo "the same effort, the same release"
for release in fast.csv timed.csv; do
    shoal verify $release -k 5 --accept range-ends --quasi age,sex,zip | head -n 1
done
for flags in "--time 0" "--time -1s" "--time s" "--time 1d" "--time nan" "--time 1e9h" "--effort lazy" \
    "--method topdown --effort high" "--method mondrian --time 5s"; do
    run never.csv $flags
    echo "exit $?"
done
cat > spec.yaml <<'END'
columns: {age: {role: quasi}, zip: {role: quasi}}
privacy: {k: 5}
effort: some
time: 0
END
shoal anonymize in.csv -o never.csv --spec spec.yaml
echo "exit $?"
ls
run fast.csv --effort fast --report fast.html
grep -o "best: effort [a-z]*" fast.html
