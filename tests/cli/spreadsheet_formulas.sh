. "$CASES/lib.sh"
# Texts that spreadsheets run as formulas: told, and with --spreadsheet-safe behind an apostrophe. Numbers are none.
printf 'age,job,ill,phone\n20,=cook,"=HYPERLINK(""x"")",+49 171\n21,=cook,@SUM(1),+49 172\n-5,-baker,-7,-1\n-6,-baker,+1e3,+2\n' > people.csv
run() { shoal anonymize people.csv --quasi age,job --sensitive ill --insensitive phone --quiet -o "$@"; }
run plain.csv -k 2 --method topdown
cat plain.csv
run safe.csv -k 2 --method topdown --spreadsheet-safe
cat safe.csv
shoal verify safe.csv --quasi age,job --sensitive ill -k 2 --l 2 --alpha '0.5:@SUM(1)' --quiet
echo "exit $?"
shoal measure people.csv safe.csv --quasi age,job --json | grep '"gcp"'
shoal measure people.csv plain.csv --quasi age,job --json | grep '"gcp"'
# And by buckets, where sensitive values have a file of their own.
run buckets.csv --spreadsheet-safe --method anatomy --l 2
grep -c "'=HYPERLINK" buckets.sensitive.csv
shoal verify buckets.csv --quasi age,job --sensitive ill --l 2 --quiet
echo "exit $?"
