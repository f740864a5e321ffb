#!/usr/bin/env bash
# Generate a census-like table, anonymize it, and show ten records before and after.
#
#     run_example.sh PROGRAM FOLDER
set -euo pipefail

program=${1:?usage: run_example.sh PROGRAM FOLDER}
folder=${2:?usage: run_example.sh PROGRAM FOLDER}
original=$folder/census.csv
release=$folder/release.csv
report=$folder/report.json
mkdir -p "$folder"

# show FILE STEP: the header and ten records, one in every STEP.
show() {
    awk -v step="$2" 'NR == 1 || (NR - 2) % step == 0' "$1" |
        if command -v column > /dev/null; then column -s, -t; else cat; fi
}

"$program" generate census --records 10000 --seed 1 -o "$original" --quiet
echo "Ten of 10,000 records of $original:"
show "$original" 1000
echo
echo "Ten of the records released: each shares its quasi-identifier with at least nine others, and"
echo "their order tells nothing about the original's."
"$program" anonymize "$original" -o "$release" -k 10 \
    --quasi age,sex,education,marital,race,workclass,country,zip --sensitive income \
    --hierarchy zip=prefix --report "$report" 2> "$folder/summary.txt" ||
    { cat "$folder/summary.txt" >&2; exit 1; }
show "$release" 1000
echo
cat "$folder/summary.txt"
echo
echo "Written: $original"
echo "         $release"
echo "         $report"
