. "$CASES/lib.sh"
printf 'age,my_k\n1,2\n2,0\n3,2\n' > zero.csv
shoal anonymize zero.csv -o out.csv --quasi age --k-column my_k
echo "exit $?"
printf 'age,my_k\n1,2\n2,\n3,2\n' > missing.csv
shoal anonymize missing.csv -o out.csv --quasi age --k-column my_k
echo "exit $?"
printf 'age,my_k\n1,2\n2,two\n3,2\n' > text.csv
shoal anonymize text.csv -o out.csv --quasi age --k-column my_k
echo "exit $?"
printf 'age,my_k\n1,2\n2,4\n3,2\n' > large.csv
shoal anonymize large.csv -o out.csv --quasi age --k-column my_k
echo "exit $?"
shoal anonymize large.csv -o out.csv --quasi age --k-column myk
ends
