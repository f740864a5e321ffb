. "$CASES/lib.sh"
{ echo age,note; echo 1,a; printf '2,'; head -c 10000000 /dev/zero | tr '\0' x; echo; echo 3,b; } > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age
ends
