. "$CASES/lib.sh"
make_patients
tr , ';' < patients.csv > semicolons.csv
shoal anonymize --method topdown semicolons.csv -o tabs.csv -k 3 --quasi age --identifier name,zip,sex,job --insensitive diagnosis --output-delimiter tab --quiet
cat tabs.csv
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age --delimiter ';'
ends
