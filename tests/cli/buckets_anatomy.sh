. "$CASES/lib.sh"
make_patients
common="--quasi age,zip,sex --sensitive diagnosis"
shoal anonymize patients.csv -o out.csv -k 3 --l 2 $common --identifier name --insensitive job --method anatomy:test_seed=1
ls -A
cat out.csv out.sensitive.csv
# Found beside the release, or where it is said to be.
shoal verify out.csv -k 3 --l 2 $common
mv out.sensitive.csv elsewhere.csv
shoal verify out.csv --l 2 $common --sensitive-table elsewhere.csv --quiet; echo "exit $?"
shoal verify out.csv --l 4 $common --sensitive-table elsewhere.csv | head -3
echo "exit ${PIPESTATUS[0]}"
shoal measure patients.csv out.csv $common --sensitive-table elsewhere.csv | head -6
shoal query out.csv "COUNT WHERE age < 40 AND diagnosis = flu" --original patients.csv $common --sensitive-table elsewhere.csv | head -2
