. "$CASES/lib.sh"
# The original as its own release loses nothing; all stars lose everything.
make_patients
cp patients.csv copy.csv
shoal measure patients.csv copy.csv --quasi age,sex | head -3
{ echo age,sex; for i in $(seq 12); do echo '*,*'; done; } > stars.csv
shoal measure patients.csv stars.csv --quasi age,sex | head -3
