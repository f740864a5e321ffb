. "$CASES/lib.sh"
printf 'born,pay,big,sex,ill\n1980-03-17,-7,9007199254740991,M,a\n1978-05-02,0.3,3,F,b\n1973-11-30,20,5,F,a\n' > births.csv
run() {
    shoal anonymize births.csv -o out.csv -k 1 --quasi born,pay,big,sex --sensitive ill "$@"
    echo "exit $?"
}
for step in 0 -5 nan 1e3 '1 months old' 0.1234567890123456; do
    run --grid "$step"
    run --grid "pay=$step"
done
run --grid sex=5
run --grid sex=5 --hierarchy sex=flat
run --grid nobody=5
run --grid ill=5
run --grid born=0.5
run --grid 'pay=1 month'
run --grid 10
run --grid pay=5 --numeric mean
run --grid pay=5 --method anatomy --l 1
run --grid '1 month' --hierarchy born=dates
printf 'columns:\n  sex: {role: quasi, grid: 5}\n  pay: {role: quasi, grid: zero}\nprivacy: {k: 1}\n' > spec.yaml
shoal anonymize births.csv -o out.csv --spec spec.yaml
echo "exit $?"
sed -i s/zero/2/ spec.yaml
shoal anonymize births.csv -o out.csv --spec spec.yaml
echo "exit $?"
printf 'grid: 5\ncolumns: {sex: quasi}\nprivacy: {k: 1}\n' > spec.yaml
shoal anonymize births.csv -o out.csv --spec spec.yaml
echo "exit $?"
