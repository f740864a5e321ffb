. "$CASES/lib.sh"
# A release of four, held against the forty people it is a sample of.
{ echo job,age; for i in $(seq 0 39); do echo "j$((i % 4)),$((20 + i))"; done; } > people.csv
printf 'age,ill\n[20..29],flu\n[20..29],gout\n[30..39],flu\n[30..39],flu\n' > release.csv
check() { shoal verify release.csv --quasi age --population people.csv "$@" | grep -v Seconds; }
check --k-map 10 --presence 0.2
check --k-map 11 -k 3
check --presence 0.25:0.3
printf 'columns: {age: quasi}\nprivacy: {population: people.csv, k_map: 10, presence: {value: 0.5, least: 0.1}}\n' > spec.yaml
shoal verify release.csv --spec spec.yaml --json
printf 'age,zip\n[20..29],53***\n' > release.csv
printf 'age,zip\n20,53711\n25,53712\n25,60000\n' > people.csv
shoal verify release.csv --quasi age,zip --hierarchy zip=prefix:5 --population people.csv --k-map 2 | grep -v Seconds
ends
