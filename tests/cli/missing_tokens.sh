. "$CASES/lib.sh"
printf 'age\n20\nNA\n22\n-\n24\n' > in.csv
shoal anonymize in.csv -o - -k 3 --quasi age --missing drop --missing-tokens NA,- --quiet
shoal anonymize in.csv -o out.csv -k 3 --quasi age --missing dropp
ends
