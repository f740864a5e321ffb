. "$CASES/lib.sh"
make_patients
shoal anonymize --method topdown patients.csv -o - -k 2 --quasi sex,age --identifier name,zip,job --insensitive diagnosis \
    --hierarchy age='breaks:30,40,50;40' --hierarchy sex=flat --quiet
