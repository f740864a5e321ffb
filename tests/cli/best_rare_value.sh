# A frequent value lends records to a rare one: 190 of 200 records keep their value.
{ echo x; yes a | head -n 195; yes b | head -n 5; } > in.csv
for effort in fast normal high; do
    shoal anonymize in.csv -o out.csv -k 10 --quasi x --effort $effort 2>&1 | grep -E '^(Classes|Loss)'
    tail -n +2 out.csv | sort | uniq -c
done
