. "$CASES/lib.sh"
set -m
shoal generate census --records 100000000 -o people.csv &
program=$!
until ls -A | grep -q '^\.people\.csv\.shoal-'; do sleep 0.01; done
kill -INT "$program"
wait "$program"
ends
