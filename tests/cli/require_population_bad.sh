. "$CASES/lib.sh"
printf 'age,sex\n20,F\n21,F\n30,M\n' > people.csv
check() { shoal verify release.csv --quasi age,sex "$@"; echo "exit $?"; }
printf 'age,sex\n[20..21],F\n[20..21],F\n' > release.csv
check --k-map 2
check --k-map 2 --population absent.csv
check --k-map 0 --population people.csv
check --presence 0 --population people.csv
check --presence 0.5:0.1 --population people.csv
check --presence x:0.1 --population people.csv
check --k-map 2 --population ''
# A column less, a value less, a record less.
cut -d, -f1 people.csv > less.csv
check --k-map 2 --population less.csv
printf 'age,sex\n40,F\n' > release.csv
check --k-map 1 --population people.csv
printf 'age,sex\n30,F\n' > release.csv
check --k-map 1 --population people.csv
printf 'age,sex\n20,F\n20,F\n' > release.csv
check --k-map 1 --population people.csv
printf 'columns: {age: quasi}\nprivacy: {k_map: 3, presence: {value: 2, least: -1}, population: [x]}\n' > spec.yaml
shoal verify release.csv --spec spec.yaml
ends
