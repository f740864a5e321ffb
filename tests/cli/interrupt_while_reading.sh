. "$CASES/lib.sh"
# The input never ends; SIGINT does.
set -m
make_patients
mkfifo pipe
{ cat patients.csv; sleep 30; } > pipe &
shoal anonymize pipe -o out.csv -k 3 --quasi age &
program=$!
until ls -A | grep -q '^\.out\.csv\.shoal-'; do sleep 0.02; done
sleep 0.1
kill -INT "$program"
wait "$program"
code=$?
kill %1
wait %1 2> /dev/null
ls -A
exit "$code"
