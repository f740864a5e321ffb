# The bound: with anonymize and measure, in the summary and in JSON; it needs a k, and no sensitive column.
cat > in.csv <<'END'
age,job
20,cook
20,cook
30,cook
31,smith
40,smith
60,clerk
END
shoal anonymize --method topdown in.csv -o out.csv -k 2 --quasi age,job --measure bound 2>&1 | grep -E '^(Loss|Bound)'
# By hand, the cheapest boxes: 0 for both 20s, 10/40 for 30, 9/40 for 31 and 40, 20/40 + 1 for 60: 2.2 in all; prices prove
# more, and no more than the 3.95 of {20, 20}, {30, 60}, {31, 40}, the best there is.
shoal measure in.csv out.csv -k 2 --quasi age,job --measure bound --json | grep -A 4 '"bound"'
shoal measure in.csv out.csv -k 1 --quasi age,job --measure bound | grep Bound
shoal measure in.csv out.csv --quasi age,job --measure bound
echo "exit $?"
shoal measure in.csv out.csv -k 2 --quasi age,job --measure bond
echo "exit $?"
# Nothing of the sensitive columns was asked for, and nothing is told.
printf 'age,ill\n1,flu\n2,flu\n4,gout\n' > ill.csv
shoal anonymize --method topdown ill.csv -o out.csv -k 2 --quasi age --sensitive ill --quiet
shoal measure ill.csv out.csv -k 2 --quasi age --sensitive ill --measure bound | grep -E '^(Bound|Privacy|Utility)'
# A release that loses less than any that meets the requirement.
shoal measure in.csv in.csv -k 3 --quasi age,job --measure bound | grep Bound
