# Large numbers that are close keep their digits, and one number is its own mean.
printf 'x\n' > in.csv
printf '9007199254740953\n%.0s' 1 2 3 4 5 6 7 >> in.csv
shoal anonymize --method topdown in.csv -o - -k 7 --quasi x --numeric mean --quiet | uniq
sed -i '3,$s/53$/55/' in.csv
shoal anonymize --method topdown in.csv -o - -k 7 --quasi x --numeric mean --quiet | uniq
printf 'x\n0.1\n0.1\n1e9\n1e9\n' > in.csv
shoal anonymize --method topdown in.csv -o - -k 2 --quasi x --numeric mean --quiet
