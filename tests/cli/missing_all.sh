. "$CASES/lib.sh"
printf 'age,sex\n?,F\n?,M\n?,F\n' > in.csv
shoal anonymize --method topdown in.csv -o out.csv -k 2 --quasi age,sex
echo "exit $?"
shoal anonymize --method topdown in.csv -o out.csv -k 2 --quasi age,sex --missing drop
echo "exit $?"
shoal anonymize --method topdown in.csv -o - -k 2 --quasi age,sex --missing keep --quiet
ends
