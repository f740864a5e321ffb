. "$CASES/lib.sh"
printf 'age,sex\n1,F\n2,M\377\n3,F\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age
ends
