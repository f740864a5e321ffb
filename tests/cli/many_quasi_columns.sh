. "$CASES/lib.sh"
awk 'BEGIN { for (r = 0; r <= 6; r++) { for (c = 1; c <= 300; c++) printf("%s%s", (c > 1 ? "," : ""), (r ? (r * c) % 7 : "c" c)); print "" } }' > in.csv
shoal anonymize --method topdown in.csv -o out.csv -k 3 --quasi "$(head -1 in.csv)" --quiet
echo "exit $?"
shoal verify out.csv -k 3 --quasi "$(head -1 in.csv)" --quiet
ends
