. "$CASES/lib.sh"
printf 'age,sex\n30,F\n30,F\n30,F\n30,F\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 2 --quasi age,sex
