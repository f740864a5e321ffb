. "$CASES/lib.sh"
printf 'born,pay,sex,ill\n1980-03-17,-7,M,a\n1978-05-02,0.3,F,b\n1973-11-30,20,F,a\n1972-02-01,21.25,M,c\n1972-02-01,21,M,a\n' > births.csv
run() { shoal anonymize births.csv -o - --method topdown --quasi born,pay,sex --sensitive ill --quiet "$@"; }
run -k 2 --grid 5 --grid 'born=1 month'
run -k 2 --grid '10 years' --numeric minmax
run -k 1 --grid 0.1 --grid born=none
# Classes that become equal are one.
run -k 1 --grid 100 --grid 'born=100 years'
printf 'columns: {born: {role: quasi, grid: 2 weeks}, pay: {role: quasi}}\ngrid: 2.5\nprivacy: {k: 5}\n' > spec.yaml
shoal anonymize births.csv -o out.csv --spec spec.yaml --quiet --json | grep -A1 weight
cat out.csv
shoal verify out.csv --spec spec.yaml | head -1
echo "exit $?"
shoal verify out.csv --spec spec.yaml --grid pay=2
echo "exit $?"
shoal measure births.csv out.csv --spec spec.yaml --grid pay=2
echo "exit $?"
# Given twice for the same, a step contradicts itself.
run -k 2 --grid 5 --grid 6
run -k 2 --grid pay=5 --grid pay=6
