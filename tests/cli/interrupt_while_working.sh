. "$CASES/lib.sh"
set -m
shoal generate census --records 200000 -o people.csv
shoal anonymize people.csv -o out.csv -k 3 --quasi age,sex,education,marital,race,workclass,occupation,zip &
program=$!
until ls -A | grep -q '^\.out\.csv\.shoal-'; do sleep 0.01; done
kill -TERM "$program"
wait "$program"
ends
