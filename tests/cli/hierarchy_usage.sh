. "$CASES/lib.sh"
make_patients
shoal hierarchy build patients.csv
shoal hierarchy biuld patients.csv --column zip
shoal hierarchy build patients.csv --column age
shoal hierarchy build patients.csv --column age --flat --dates
shoal hierarchy build patients.csv --column age --flat --origin 3
shoal hierarchy build patients.csv --column age --widths 5,7
shoal hierarchy build patients.csv --column age --widths 5,x
shoal hierarchy build patients.csv --column sex --dates
shoal hierarchy check patients.csv --column age
shoal hierarchy build patients.csv --column sex --flat -o patients.csv
ends
