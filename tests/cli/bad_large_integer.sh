. "$CASES/lib.sh"
printf 'age\n1\n9007199254740993\n2\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age --type age=integer
ends
