. "$CASES/lib.sh"
# The columns of the release would have one name twice.
printf 'age,age_min\n1,2\n3,4\n' > in.csv
shoal anonymize --method topdown in.csv -o out.csv -k 2 --quasi age --insensitive age_min --numeric minmax
ends
