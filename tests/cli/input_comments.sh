# Lines before the header; places are those of the file.
printf 'Export of 2024-05-01\n# from "the register\nage\n24\n#5\nx\n' > table.csv
shoal inspect table.csv --skip-lines 1 --comment '#' --json | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["records"], r["columns"][0]["name"])'
shoal anonymize table.csv -o - -k 2 --quasi age --skip-lines 2 --type age=integer
shoal anonymize table.csv -o - -k 2 --quasi agee --skip-lines 2
shoal inspect table.csv --skip-lines 6
shoal inspect table.csv --comment ''
echo 'Lines that nobody said are no header:'
printf '# exported\nage;sex\n30;F\n31;M\n' > comment.csv
shoal inspect comment.csv; echo "exit $?"
shoal inspect comment.csv --comment '#' --quiet > /dev/null; echo "exit $?"
printf '# a number\n30\n31\n' > number.csv
shoal inspect number.csv --delimiter ';' | head -n 1
printf 'Export of 2024\nage,sex\n30,F\n' > title.csv
shoal inspect title.csv; echo "exit $?"
printf 'Export of 2024\nage;sex\n30;F\n31;M\n' > title.csv
shoal anonymize title.csv -o - -k 2 --quasi age; echo "exit $?"
