. "$CASES/lib.sh"
printf 'x\n1.5\nNaN\n2.5\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi x --type x=real
ends
