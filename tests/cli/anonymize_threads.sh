. "$CASES/lib.sh"
# The same bytes on any number of threads, and with the same seed again.
shoal generate census --records 4000 -o people.csv
for threads in 1 2 5; do
    shoal anonymize --method topdown people.csv -o "r$threads.csv" -k 5 --quasi age,sex,education,zip,occupation \
        --hierarchy zip=prefix:5 --threads "$threads" --seed 3 --quiet
done
cmp r1.csv r2.csv && cmp r1.csv r5.csv && echo same
wc -l < r1.csv
