. "$CASES/lib.sh"
# So strict that classes are of thousands: more records than are looked at for one of them.
shoal generate census --records 20000 -o people.csv
shoal anonymize people.csv -o out.csv --quasi age,sex,zip --sensitive occupation --delta 0.12 --method mondrian 2>&1 | grep -c Verified
ends
