. "$CASES/lib.sh"
# Lines that end in CR alone: nothing of them is quoted as a name.
printf 'age,job\r24,spy\r25,cook\r' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi jobb
echo $?
printf '"a\rb",c\r\n1,2\r\n1,2\r\n' > quoted.csv
shoal inspect quoted.csv | sed -n 3,4p
