#!/usr/bin/env bash
# Generate a census-like table, anonymize it, and show ten records before and after.
#
#     run_example.sh PROGRAM FOLDER
set -euo pipefail

program=${1:?usage: run_example.sh PROGRAM FOLDER}
folder=${2:?usage: run_example.sh PROGRAM FOLDER}
original=$folder/census.csv
release=$folder/release.csv
report=$folder/report.html
mkdir -p "$folder"

# show FILE: the header and one in every thousand records, in aligned columns.
show() {
    awk -F, '
        NR == 1 || (NR - 2) % 1000 == 0 {
            rows[++count] = $0
            for (i = 1; i <= NF; i++) if (length($i) > width[i]) width[i] = length($i)
        }
        END {
            for (row = 1; row <= count; row++) {
                fields = split(rows[row], field, ",")
                for (i = 1; i < fields; i++) printf "%-*s  ", width[i], field[i]
                print field[fields]
            }
        }' "$1"
}

"$program" generate census --records 10000 --seed 1 -o "$original" --quiet
echo "Ten of 10,000 records of $original:"
show "$original"
echo
echo "Ten of the records released: each shares its quasi-identifier with at least nine others, and"
echo "their order tells nothing about the original's."
"$program" anonymize "$original" -o "$release" -k 10 \
    --quasi age,sex,education,marital,race,workclass,country,zip --hierarchy zip=prefix:5 --sensitive income \
    --report "$report" 2> "$folder/summary.txt" ||
    { cat "$folder/summary.txt" >&2; exit 1; }
show "$release"
echo
cat "$folder/summary.txt"
echo
echo "Written: $original"
echo "         $release"
echo "         $report"
