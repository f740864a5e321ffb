. "$CASES/lib.sh"
printf 'born\n1990-01-05\n1990-01-20\n1990-02-03\n2001-11-30\n2001-12-01\n2002-01-01\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 3 --quasi born --quiet
shoal anonymize --method topdown in.csv -o - -k 3 --quasi born --hierarchy born=dates --quiet
