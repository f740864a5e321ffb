. "$CASES/lib.sh"
{ echo age,town,ill; for i in $(seq 0 59); do echo "$((20 + i * 7 % 31)),t$((i % 4)),i$((i % 3))"; done; } > people.csv
asked="--quasi age,town --sensitive ill"
shoal frontier people.csv $asked --sweep k=2,5 --try mondrian --plot tried.svg --quiet
shoal anonymize --method topdown people.csv -o out.csv -k 5 $asked --report page.html --report-frontier tried.svg --quiet
grep -o 'id="frontier"' page.html
grep -o 'data:image/svg+xml;base64,[^"]*' page.html | cut -d, -f2 | base64 -d | cmp - tried.svg && echo the same picture
shoal anonymize --method topdown people.csv -o out2.csv -k 5 $asked --report page2.html --report-frontier people.csv
echo "exit $?"
shoal anonymize --method topdown people.csv -o out2.csv -k 5 $asked --report page2.html --report-frontier absent.svg
echo "exit $?"
ends
