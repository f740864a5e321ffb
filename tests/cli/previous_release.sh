# Last year's table and release; somebody has come and somebody has moved. The new classes lie inside the old ones.
printf 'age,zip,ill\n20,1,a\n21,1,b\n22,1,c\n40,2,a\n41,2,b\n42,2,c\n60,3,a\n61,3,b\n62,3,c\n' > old.csv
shoal anonymize old.csv -o old.out.csv -k 2 --l 1.5 --quasi age,zip --sensitive ill --method mondrian --quiet --accept range-ends
printf 'age,zip,ill\n20,1,a\n21,1,b\n22,1,c\n21,1,b\n40,2,a\n41,2,b\n42,2,c\n60,3,a\n61,3,b\n62,3,c\n' > new.csv
run() { shoal anonymize new.csv -o new.out.csv -k 2 --l 1.5 --quasi age,zip --sensitive ill --accept range-ends --method "${method:-mondrian}" "$@"; echo "exit code $?"; }
run --previous old.out.csv
cat new.out.csv
shoal attack new.csv new.out.csv --release new.out.csv -k 2 --l 1.5 --quasi age,zip --sensitive ill --attacks composition,intersection
# One of three is left of the last class.
head -n 8 old.csv > left.csv
shoal anonymize left.csv -o left.out.csv -k 2 --l 1.5 --quasi age,zip --sensitive ill --method mondrian --previous old.out.csv; echo "exit code $?"
ls left.out.csv
# What does not fit.
run --previous nowhere.csv
printf 'age,ill\n20,a\n21,b\n' > columns.csv
run --previous columns.csv
printf 'age,zip,ill\n[1..2],7,a\n[1..2],7,b\n' > other.csv
run --previous other.csv
run --previous old.out.csv --against minimality
method=incognito run --previous old.out.csv
run --previous old.out.csv --suppress 0.1
run --previous old.out.csv --memory 1G
