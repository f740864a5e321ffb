. "$CASES/lib.sh"
# Several reports of one run; private unless asked otherwise, the page for others aside.
make_patients
umask 022
run() { shoal anonymize patients.csv -o out.csv -k 3 --quasi age --sensitive diagnosis --method topdown --quiet "$@"; echo "exit $?"; }
touch there.json; chmod 644 there.json
run --report a.html --report b.json --report there.json --report a.html --report-external others.html
stat -c '%a %n' *
python3 -m json.tool b.json > /dev/null && cmp b.json there.json && grep -c '<h1>' a.html
run --report c.html --report-access shared
stat -c '%a %n' c.html
run --report a.html --report ./a.html
run --report-access everybody
shoal verify out.csv -k 3 --quasi age --sensitive diagnosis --report v.json --quiet
shoal inspect patients.csv --report i.json --quiet
stat -c '%a %n' v.json i.json
