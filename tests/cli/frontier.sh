. "$CASES/lib.sh"
{ echo age,town,ill; for i in $(seq 0 59); do echo "$((20 + i * 7 % 31)),t$((i % 4)),i$((i % 3))"; done; } > people.csv
shoal frontier people.csv --quasi age,town --sensitive ill --sweep k=2,5,10,100 --sweep t=0.2,0.4 --try mondrian --try topdown --max-privacy-loss 0.35 -o points.csv --plot plot.svg
echo "exit $?"
cut -d, -f1-13,20-21 points.csv | head -4
grep -c '<title>' plot.svg
shoal frontier people.csv --quasi age,town --sweep k=2,5 --try mondrian --max-gcp 0.0001
echo "exit $?"
shoal frontier people.csv --quasi age,town --sweep k=5 --try mondrian --json | grep -v -E 'seconds|read"|prepare"|sweep"|total"|version'
check() { shoal frontier people.csv --quasi age,town "$@"; echo "exit $?"; }
check --sweep k=0
check --sweep size=3
check --try mondriam
check --axes gcp,beauty
check --axes privacy_loss,gcp
check --time 0
check --sweep k=100 --try mondrian
check --resume
check --plot plot.png
check -o people.csv
check --plot both.html --report ./both.html
check -o both.json --report both.json
printf 'columns: {age: quasi}\nfrontier: {sweep: {q: 1, k: [x]}, methods: [mondriam], axes: [gcp], max: {fun: 1}, time: 0}\n' > spec.yaml
shoal frontier people.csv --spec spec.yaml
echo "exit $?"
ends
