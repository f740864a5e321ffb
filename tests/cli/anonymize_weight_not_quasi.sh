. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o out.csv -k 3 --quasi age --weight zip=2 --hierarchy job=flat --populations height=widths:5
ends
