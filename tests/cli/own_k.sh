. "$CASES/lib.sh"
printf 'age,my_k\n1,2\n2,2\n3,5\n4,5\n5,2\n6,2\n7,2\n8,2\n' > in.csv
shoal anonymize --method topdown in.csv -o - --quasi age --k-column my_k --quiet
shoal anonymize --method topdown in.csv -o with_k.csv --quasi age --k-column my_k --insensitive my_k --quiet
shoal verify with_k.csv --quasi age --k-column my_k
shoal anonymize --method topdown in.csv -o without_k.csv --quasi age --k-column my_k --quiet
shoal verify without_k.csv --quasi age --k-column my_k
ends
