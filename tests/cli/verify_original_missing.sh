# A record of the original that lacks a value is an error, dropped or kept, as when the release was made.
printf 'age,job\n20,cook\n21,\n22,cook\n23,cook\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age,job --method nonhomogeneous --missing keep --quiet
shoal verify out.csv -k 2 --quasi age,job --original in.csv
echo "exit $?"
shoal verify out.csv -k 2 --quasi age,job --original in.csv --missing keep | grep -E '^(Verified|Violated)'
