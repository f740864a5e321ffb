. "$CASES/lib.sh"
printf 'age,sex\n30,F\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 1 --quasi age,sex
echo "exit $?"
shoal anonymize --method topdown in.csv -o out.csv -k 2 --quasi age,sex
ends
