. "$CASES/lib.sh"
# A reader that goes away ends the run without a word, and no temporary file stays.
shoal generate census --records 20000 -o - | head -1
echo "${PIPESTATUS[0]}"
shoal generate census --records 2000 -o people.csv --quiet
# A warning that nobody reads any more, while the release is being made.
mkfifo messages
sed '1s/income/phone/' people.csv > named.csv
true < messages &
{ exec 3> messages; wait $!; shoal anonymize named.csv -o out.csv -k 10 --quasi age,sex --rest release 2>&3; echo "$?"; }
# Sent from outside.
mkfifo slow
shoal anonymize - -o out.csv -k 10 --quasi age,sex < slow 2> said &
exec 4> slow
head -1000 people.csv >&4
while ! ls -A | grep -q '^\.out'; do sleep 0.01; done
kill -PIPE $!
wait $!
echo "$?"
cat said
exec 4>&-
ls -A
