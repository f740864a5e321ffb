. "$CASES/lib.sh"
printf 'age\n1\n?\n?\n2\n' > in.csv
shoal anonymize in.csv -o out.csv -k 3 --quasi age --missing drop
ends
