. "$CASES/lib.sh"
# A standard stream that is closed never gets mixed up with a file.
make_patients
shoal anonymize patients.csv -o a.csv -k 3 --quasi age --identifier name --quiet >&-
echo "exit $?"
shoal anonymize patients.csv -o b.csv -k 3 --quasi age --identifier name --json >&-
echo "exit $?"
shoal anonymize patients.csv -o c.csv -k 3 --quasi age --identifier name 2>&-
echo "exit $?"
shoal anonymize - -o d.csv -k 3 --quasi age --identifier name <&-
echo "exit $?"
cmp a.csv b.csv && cmp a.csv c.csv
ends
