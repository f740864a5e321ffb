. "$CASES/lib.sh"
# Points that no release can meet: the reason is told without a cell's content, unless that is asked for.
make_patients
try() {
    shoal frontier patients.csv --quasi age,sex --sensitive diagnosis --identifier name,job,zip \
        -k 2 --sweep alpha=0.05,0.4,0.9 --try topdown -o points.csv "$@"
    echo "exit $?"
    grep -o '"[^"]*"$\|[^,]*$' points.csv
    echo "quoted: $(grep -c -E 'flu|asthma|gout|measles' points.csv)"
}
try --threads 1
try --threads 2
try --threads 2 --show-values
