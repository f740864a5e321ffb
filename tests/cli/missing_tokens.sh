. "$CASES/lib.sh"
printf 'age\n20\nNA\n22\n-\n24\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 3 --quasi age --missing drop --missing-tokens NA,- --quiet
shoal anonymize --method topdown in.csv -o out.csv -k 3 --quasi age --missing dropp
ends
