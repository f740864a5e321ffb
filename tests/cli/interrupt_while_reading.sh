. "$CASES/lib.sh"
# The input never ends, since this script holds the pipe open; SIGINT ends the reading.
make_patients
mkfifo pipe
exec 3<> pipe
cat patients.csv >&3
set -m # otherwise bash has background programs ignore SIGINT
shoal anonymize pipe -o out.csv -k 3 --quasi age &
program=$!
until ls -A | grep -q '^\.out\.csv\.shoal-'; do sleep 0.02; done
sleep 0.1
kill -INT "$program"
wait "$program"
ends
