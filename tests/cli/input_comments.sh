# Lines before the header; places are those of the file.
printf 'Export of 2024-05-01\n# from "the register\nage\n24\n#5\nx\n' > table.csv
shoal inspect table.csv --skip-lines 1 --comment '#' --json | python3 -c 'import json, sys; r = json.load(sys.stdin); print(r["records"], r["columns"][0]["name"])'
shoal anonymize table.csv -o - -k 2 --quasi age --skip-lines 2 --type age=integer
shoal anonymize table.csv -o - -k 2 --quasi agee --skip-lines 2
shoal inspect table.csv --skip-lines 6
shoal inspect table.csv --comment ''
