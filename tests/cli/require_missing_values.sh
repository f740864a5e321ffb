. "$CASES/lib.sh"
# All missing values of a sensitive column are one value.
printf 'age,ill\n1,?\n1,\n2,flu\n2,?\n' > release.csv
shoal verify release.csv --quasi age --sensitive ill --l distinct:2 | grep -v Seconds
shoal verify release.csv --quasi age --sensitive ill --l distinct:2 --missing-tokens none | grep -v Seconds
shoal verify release.csv --quasi age --sensitive gone --l distinct:2
ends
