. "$CASES/lib.sh"
# The spec it writes can be used as it is.
make_patients
shoal inspect patients.csv -o patients.yaml --quiet
cat patients.yaml
shoal anonymize --method topdown patients.csv -o release.csv --spec patients.yaml
ends
