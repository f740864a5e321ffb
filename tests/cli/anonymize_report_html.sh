. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age,sex --identifier name,zip,job --quiet \
    --report report.html --report-external external.html
head -n 3 report.html
grep -c '<section' report.html external.html
grep -o 'data-figure="gcp" value="[^"]*"' report.html | sort -u
grep -l 'out.csv' report.html external.html
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age --report-external external.json
ends
