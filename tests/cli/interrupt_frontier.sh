. "$CASES/lib.sh"
# What is done is kept, and whoever stopped the run is told how to go on.
set -m
shoal generate census --records 20000 -o people.csv
shoal frontier people.csv --quasi age,sex,zip --sensitive income --sweep k=5,10 --try topdown --try best:effort=high --threads 1 -o points.csv --quiet &
program=$!
until grep -qs topdown points.csv.part; do sleep 0.01; done
kill -TERM "$program"
wait "$program"
ends
