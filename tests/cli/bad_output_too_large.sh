. "$CASES/lib.sh"
# A limit on the size of files: a failure like any other, and nothing is left behind.
shoal generate census --records 1000 -o in.csv --quiet
(
    ulimit -f 8
    shoal anonymize in.csv -o out.csv -k 2 --quasi age,sex 2>&1
    echo "exit code $?"
) | cat
ends
