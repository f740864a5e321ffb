. "$CASES/lib.sh"
# One odd record in each of three groups of five: suppressed, they are a class of their own.
{ echo age,job; for age in 20 50 80; do for job in cook cook cook cook odd$age; do echo "$age,$job"; done; done; } > in.csv
shoal anonymize in.csv -o out.csv -k 3 --quasi age,job --method mondrian 2>&1 | grep -v Seconds
shoal anonymize in.csv -o out.csv -k 3 --quasi age,job --suppress 0.2 --method mondrian 2>&1 | grep -v Seconds
cat out.csv
shoal verify out.csv -k 3 --quasi age,job | grep -v Seconds
ends
