. "$CASES/lib.sh"
printf 'age,sex,age\n1,F,1\n2,M,2\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age
ends
