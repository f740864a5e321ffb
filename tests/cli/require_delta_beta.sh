. "$CASES/lib.sh"
make_patients
for r in "--delta 1" "--beta 1" "--beta enhanced:1"; do
    shoal anonymize --method topdown patients.csv -o out.csv --quasi age,sex --sensitive diagnosis --identifier name,job,zip $r --quiet
    shoal verify out.csv --quasi age,sex --sensitive diagnosis $r | grep -v Seconds
done
shoal verify out.csv --quasi age,sex --sensitive diagnosis --delta 0.5 | grep -v Seconds
exit ${PIPESTATUS[0]}
