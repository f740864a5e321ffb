. "$CASES/lib.sh"
make_patients
shoal hierarchy build patients.csv --column zip --prefix 5
shoal hierarchy build patients.csv --column age --widths 10,20 --origin 5
shoal hierarchy build patients.csv --column age --breaks '30,40;40'
shoal hierarchy build patients.csv --column sex
shoal hierarchy build patients.csv --column job --flat -o job.csv
shoal hierarchy check patients.csv --column job job.csv
ends
