# Nothing is interpreted: missing, suppressed and 7 next to 7.0 are texts like any other.
printf 'age,sex\n*,F\n*,F\n,F\n,F\n7,F\n7.0,F\n' > release.csv
shoal verify release.csv -k 2 --quasi age,sex
