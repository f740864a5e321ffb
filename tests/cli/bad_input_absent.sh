. "$CASES/lib.sh"
shoal anonymize gone.csv -o out.csv -k 3 --quasi age
ends
