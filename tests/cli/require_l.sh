. "$CASES/lib.sh"
make_patients
for l in 2 distinct:3 entropy:2.5 recursive:3:2; do
    shoal anonymize --method topdown patients.csv -o out.csv --quasi age,sex --sensitive diagnosis --identifier name,job,zip --l $l --quiet
    shoal verify out.csv --quasi age,sex --sensitive diagnosis --l $l | grep -v Seconds
done
shoal verify out.csv --quasi age,sex --sensitive diagnosis --l distinct:4 --json
