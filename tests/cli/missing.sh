. "$CASES/lib.sh"
printf 'age,sex\n20,F\n21,M\n?,F\n23,\n24,F\n25,M\n' > in.csv
shoal anonymize --method topdown in.csv -o out.csv -k 2 --quasi age,sex
echo "exit $?"
shoal anonymize --method topdown in.csv -o - -k 2 --quasi age,sex --missing drop
shoal anonymize --method topdown in.csv -o - -k 2 --quasi age,sex --missing keep --quiet
ends
