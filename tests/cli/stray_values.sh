. "$CASES/lib.sh"
# A few values that are no numbers make a column one of texts: said with column and line, not content.
{ echo 'age,zip,born,year'
  for i in 1 2 3 4 5 6 7 8 9; do echo "$((i + 20)),0123$i,2001-01-0$i,200$i"; done
  echo '9007199254740993,01230,unknown,NaN'; } > in.csv
shoal inspect in.csv > /dev/null
shoal anonymize --method topdown in.csv -o out.csv -k 5 --quasi age,year --identifier zip,born --quiet
shoal anonymize --method topdown in.csv -o out.csv -k 5 --quasi age,year --identifier zip,born 2>&1 | grep warning
shoal anonymize --method topdown in.csv -o out.csv -k 5 --quasi age,year --identifier zip,born --memory 64M 2>&1 | grep warning
echo "With a type or a hierarchy nothing is left to say:"
shoal anonymize --method topdown in.csv -o out.csv -k 5 --quasi age,year --identifier zip,born --type age=string --hierarchy year=flat 2>&1 | grep warning
shoal anonymize --method topdown in.csv -o out.csv -k 5 --quasi age,year --identifier zip,born --type age=string --missing-tokens NaN --missing drop 2>&1 | grep warning
true
