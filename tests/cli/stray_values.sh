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
echo "Dates in another form, said or not, of which one is no day; years of two digits:"
{ echo 'age,seen,born'
  for i in 1 2 3 4 5 6 7 8 9; do echo "2$i,0$i.05.2024,0$i.05.61"; done
  echo '30,31.02.2024,10.05.61'; } > dates.csv
shoal anonymize --method topdown dates.csv -o out.csv -k 5 --quasi age,seen,born --quiet
shoal anonymize --method topdown dates.csv -o out.csv -k 5 --quasi seen --date-format seen=DD.MM.YYYY --quiet
shoal anonymize --method topdown dates.csv -o out.csv -k 5 --quasi seen --date-format seen=DD.MM.YYYY --quiet --strict
echo "exit $?"
shoal anonymize --method topdown dates.csv -o out.csv -k 5 --quasi seen --type seen=date --date-format seen=DD.MM.YYYY --quiet
echo "exit $?"
