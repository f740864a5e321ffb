. "$CASES/lib.sh"
make_patients
shoal anonymize patients.csv -o - -k 3 --quasi age,zip --identifier name,sex,job --insensitive diagnosis --method mondrian:mode=relaxed --quiet
