. "$CASES/lib.sh"
printf 'age,sex\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age
ends
