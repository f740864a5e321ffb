. "$CASES/lib.sh"
awk 'BEGIN { for (r = 0; r <= 4; r++) { for (c = 1; c <= 5000; c++) printf("%s%s", (c > 1 ? "," : ""), (r ? r * c : "c" c)); print "" } }' > in.csv
shoal anonymize --method topdown in.csv -o out.csv -k 2 --rest release --quasi c1,c2500,c5000 --quiet
echo "exit $?"
cut -d, -f1,2500,5000 out.csv
ends
