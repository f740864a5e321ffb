. "$CASES/lib.sh"
# A release in which some row can stand for no record is another original's.
printf 'age,sex\n20,F\n21,F\n30,M\n31,M\n' > o.csv
check() { shoal measure o.csv r.csv --quasi age,sex 2>&1 | grep -vE 'Columns|suppressed|Seconds'; }
printf 'age,sex\n[20..21],F\n[20..21],F\n[30..31],M\n[30..31],F\n' > r.csv
check
# It takes both columns to see it.
printf 'age,sex\n[20..21],F\n[20..21],M\n[30..31],M\n[30..31],F\n' > r.csv
check
# Three rows for two records, though every row covers one.
printf 'age,sex\n[20..21],F\n[20..21],F\n[20..21],F\n[30..31],M\n' > r.csv
check
shoal risk o.csv r.csv --quasi age,sex
echo $?
# In any order, and with records left out, it may belong.
printf 'age,sex\n[20..31],M\n[30..31],*\n[20..21],F\n' > r.csv
check
# The first row must leave the record in its way to the second.
printf 'age,sex\n[21..30],*\n[30..31],M\n31,M\n20,F\n' > r.csv
check
# Means and medians cover nothing.
make_patients
for form in mean median; do
    shoal anonymize --method topdown patients.csv -o r.csv -k 3 --quasi age,sex --identifier name,zip,job --numeric $form --quiet
    shoal measure patients.csv r.csv --quasi age,sex
done
ends
