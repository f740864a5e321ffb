. "$CASES/lib.sh"
make_patients
check() { shoal risk "$@"; echo "exit $?"; }
check patients.csv --quasi age --risk-threshold 0
check patients.csv --quasi age --risk-threshold 0.1,x
check patients.csv --quasi age --sampling-fraction 1.5
check patients.csv --quasi age --population absent.csv
check patients.csv
check - - --quasi age
check patients.csv --quasi age --report patients.html.csv
printf 'age,sex\n20,F\n' > people.csv
check patients.csv --quasi age,sex --population people.csv
ends
