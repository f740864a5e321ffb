. "$CASES/lib.sh"
: > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age
ends
