. "$CASES/lib.sh"
# Forty people, of whom ten are in the table: classes may be small where many people are alike.
{ echo age,town; for i in $(seq 0 39); do echo "$((20 + i / 4)),t$((i % 2))"; done; } > people.csv
{ echo age,town; for i in $(seq 0 4 39); do echo "$((20 + i / 4)),t0"; done; } > table.csv
shoal anonymize table.csv -o release.csv --quasi age,town --population people.csv --k-map 6 --quiet
cat release.csv
shoal verify release.csv --quasi age,town --population people.csv --k-map 6 --type age=integer | grep -v Seconds
check() { shoal anonymize table.csv -o out.csv --quasi age,town "$@"; echo "exit $?"; }
check --k-map 6
check --k-map 21 --population people.csv
check --presence 0.1 --population people.csv
check --k-map 6 --population people.csv --numeric mean
check --k-map 6 --population people.csv --method incognito
shoal anonymize table.csv -o people.csv --quasi age,town --k-map 6 --population people.csv; echo "exit $?"
echo 99,t0 >> table.csv
check --k-map 2 --population people.csv
ends
