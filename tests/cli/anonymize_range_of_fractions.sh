# A number written .5 does not make a range with three points in a row.
printf 'x\n.5\n0.1\n5.\n7.\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 2 --quasi x --quiet
