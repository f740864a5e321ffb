. "$CASES/lib.sh"
# Numbers whose range is none: their loss could not be told.
printf 'x\n-1.7e308\n1.7e308\n0\n1\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi x
ends
