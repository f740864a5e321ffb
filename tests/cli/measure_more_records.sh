. "$CASES/lib.sh"
make_patients
{ cat patients.csv; tail -1 patients.csv; } > release.csv
shoal measure patients.csv release.csv --quasi age
