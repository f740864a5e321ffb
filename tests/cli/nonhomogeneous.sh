. "$CASES/lib.sh"
make_patients
asked="-k 3 --quasi age,zip,sex"
shoal anonymize patients.csv -o release.csv $asked --identifier name --rest release --method nonhomogeneous:partition=curve,test_seed=1 --threads 1 2>&1 | grep -v Seconds
cat release.csv
shoal anonymize patients.csv -o again.csv $asked --identifier name --rest release --method nonhomogeneous:partition=curve,test_seed=1 --threads 4 --quiet
cmp release.csv again.csv && echo same

# The report says the same, and that of links drawn by the system does not warn.
shoal anonymize patients.csv -o again.csv $asked --identifier name --rest release --method nonhomogeneous --json | grep -E '"(shape|links|note|fewest_candidates|discernibility|holds)"' | sort -u
shoal anonymize patients.csv -o again.csv $asked --identifier name --rest release --method nonhomogeneous:partition=curve,test_seed=1 --json | grep '"links"'

# Anybody can verify it who has the original; a row that shows one record is found.
shoal verify release.csv --original patients.csv $asked | grep -v Seconds
sed '2s/^[^,]*,[^,]*,/24,53711,/' release.csv > shown.csv
shoal verify shown.csv --original patients.csv -k 3 --quasi age,zip,sex | grep -v Seconds
shoal verify shown.csv --original patients.csv -k 3 --quasi age,zip,sex --quiet
