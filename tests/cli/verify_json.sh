printf 'age\n1\n1\n2\n' > release.csv
shoal verify release.csv -k 2 --quasi age --json
shoal verify release.csv -k 2 --quasi age --report report.json --quiet
echo "exit $?"
python3 -m json.tool report.json > /dev/null
