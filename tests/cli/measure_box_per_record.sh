. "$CASES/lib.sh"
# A file does not tell that it has a box per record; who measures it is asked, and can say so.
make_patients
asked="--quasi age,zip,sex --identifier name"
shoal anonymize patients.csv -o boxes.csv -k 3 $asked --method nonhomogeneous:partition=curve,test_seed=1 --quiet
for shape in classes records; do
    shoal measure patients.csv boxes.csv -k 3 $asked --shape $shape 2>&1 | grep -v Seconds
    shoal risk patients.csv boxes.csv -k 3 $asked --shape $shape 2>&1 | grep -E 'warning|Unique|prosecutor'
done
shoal risk patients.csv boxes.csv $asked --shape records --json | grep '"shape"'
# Of classes that hold, and of raw values, nobody is asked.
shoal anonymize patients.csv -o classes.csv -k 3 $asked --quiet
shoal measure patients.csv classes.csv -k 3 $asked 2>&1 | grep warning
shoal measure patients.csv patients.csv -k 3 $asked 2>&1 | grep warning
true
