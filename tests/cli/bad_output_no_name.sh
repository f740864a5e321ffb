. "$CASES/lib.sh"
printf 'age\n24\n25\n' > in.csv
shoal anonymize in.csv -o '' -k 2 --quasi age
ends
