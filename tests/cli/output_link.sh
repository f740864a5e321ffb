. "$CASES/lib.sh"
# A release through a symbolic link: where it goes is said, and --strict wants to know that it is meant.
make_patients
mkdir away
: > away/real.csv
ln -s away/real.csv out.csv
run() { shoal anonymize patients.csv -o out.csv -k 3 --method topdown --quasi age,sex --quiet "$@" 2>&1 | sed "s|$PWD/||"; }
run
head -2 away/real.csv
ls -l out.csv | grep -c ' -> away/real.csv'
run --strict | grep -c symbolic
run --strict --accept output-link
