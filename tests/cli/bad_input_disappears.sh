. "$CASES/lib.sh"
# Whoever feeds the pipe dies in the middle of a record.
make_patients
mkfifo pipe
head -c 100 patients.csv > pipe &
shoal anonymize pipe -o out.csv -k 2 --quasi age
ends
