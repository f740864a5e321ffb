. "$CASES/lib.sh"
# The input never ends; SIGINT does.
make_patients
mkfifo pipe
{ cat patients.csv; exec sleep 30; } > pipe 2> /dev/null &
feeder=$!
set -m # otherwise bash has background programs ignore SIGINT
shoal anonymize pipe -o out.csv -k 3 --quasi age &
program=$!
until ls -A | grep -q '^\.out\.csv\.shoal-'; do sleep 0.02; done
sleep 0.1
kill -INT "$program"
wait "$program"
code=$?
kill "$feeder"
ls -A
exit "$code"
