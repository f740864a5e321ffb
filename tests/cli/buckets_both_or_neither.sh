. "$CASES/lib.sh"
make_patients
run() {
    shoal anonymize patients.csv --l 2 --quasi age,zip --sensitive diagnosis --identifier name --insensitive sex,job --accept quasi-like-column \
        --method anatomy --quiet "$@"
    echo "exit $?"
}
# No folder for the second; a folder in the place of the second, of the first.
run -o out.csv --sensitive-table no/such/file.csv
mkdir out.sensitive.csv; run -o out.csv; rmdir out.sensitive.csv
mkdir out.csv; run -o out.csv; rmdir out.csv
# The release fails when all is written: the table that was there before stays.
echo old > table.csv
run -o /dev/full --sensitive-table table.csv
cat table.csv
(run -o - --sensitive-table table.csv > /dev/full) 2>&1 | head -1
cat table.csv
# Neither fits.
(ulimit -f 0; run -o out.csv) 2>&1
ls -A
# Both take the place of old ones.
echo old > out.csv; echo old > out.sensitive.csv
run -o out.csv
head -1 out.csv out.sensitive.csv
run -o - --sensitive-table table.csv | head -2
head -1 table.csv
ls -A
