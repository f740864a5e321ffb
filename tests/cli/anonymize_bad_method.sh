. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o out.csv -k 3 --quasi age --method topdwn
shoal anonymize patients.csv -o out.csv -k 3 --quasi age --method mondrian:mod=strict
shoal anonymize patients.csv -o out.csv -k 3 --quasi age --method mondrian:mode=soft
shoal anonymize patients.csv -o out.csv -k 3 --quasi age --method topdown:rounds=many
ends
