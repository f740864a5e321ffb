# The optimum of ten records; what is too large is refused before any work, with what to do instead.
printf 'age,zip\n21,4100\n22,4120\n24,4110\n35,4300\n36,4310\n38,4900\n52,4320\n55,4910\n58,4930\n60,4920\n' > ten.csv
shoal anonymize ten.csv -o - -k 3 --quasi age,zip --method exact --quiet
shoal generate census --records 100000 --seed 1 -o large.csv
shoal anonymize large.csv -o release.csv -k 5 --quasi age,sex,zip --method exact
