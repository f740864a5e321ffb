. "$CASES/lib.sh"
# Options that bucketize lacks are those of the method whose classes it takes, wherever they stand.
make_patients
run() { shoal anonymize patients.csv -o out.csv -k 2 --quasi age,zip,sex --sensitive diagnosis --identifier name "$@"; }
run --method bucketize:from=mondrian,mode=relaxed --json | sed -n '/"method": {/,/}/p'
run --method bucketize:effort=fast,from=best --json | sed -n '/"method": {/,/}/p'
for method in mode=relaxed,from=best from=bottomup,mode=relaxed mode=strange from; do
    run --method bucketize:$method
    echo $?
done
printf 'columns: {age: quasi, sex: quasi, diagnosis: sensitive}\nprivacy: {k: 2}\nmethod: {name: bucketize, tries: 3, from: cluster}\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml --json | sed -n '/"method": {/,/}/p'
printf 'columns: {age: quasi, sex: quasi, diagnosis: sensitive}\nprivacy: {k: 2}\nmethod:\n  name: bucketize\n  from: cluster\n  rounds: 3\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
echo $?
