. "$CASES/lib.sh"
mkdir in.csv
shoal anonymize in.csv -o out.csv -k 3 --quasi age
ends
