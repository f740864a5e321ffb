. "$CASES/lib.sh"
printf 'age,sex\n30,F\n30,M\n30,F\n30,M\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 2 --quasi age,sex
