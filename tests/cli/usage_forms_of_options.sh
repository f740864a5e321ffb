. "$CASES/lib.sh"
# Values behind =, behind a blank, glued to a letter; letters together; operands behind --.
make_patients
shoal anonymize -qk3 --method topdown --quasi=age,zip --identifier name -o a.csv patients.csv
shoal anonymize --method topdown --quiet -k 3 --quasi age --quasi zip --identifier=name --output=b.csv -- patients.csv
cmp a.csv b.csv
ends
