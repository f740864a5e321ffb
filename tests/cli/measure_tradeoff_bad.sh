. "$CASES/lib.sh"
make_patients
shoal measure patients.csv patients.csv --quasi age --sensitive diagnosis --min-support 0
shoal measure patients.csv patients.csv --quasi age --sensitive diagnosis --min-support half
shoal measure patients.csv patients.csv --quasi age --sensitive diagnosis --measure privacy_lost
shoal anonymize patients.csv -o r.csv -k 3 --quasi age --measure privacy_loss
# A release without the sensitive column, and one with a value that the original lacks.
cut -d, -f1-5 patients.csv > cut.csv
shoal measure patients.csv cut.csv --quasi age --sensitive diagnosis
sed 's/measles/mumps/' patients.csv > other.csv
shoal measure patients.csv other.csv --quasi age --sensitive diagnosis
shoal measure patients.csv patients.csv --quasi age,job --sensitive diagnosis --populations job=flat
ends
