printf 'age,sex\n[20..29],F\n[20..29],F\n30,M\n30,F\n' > release.csv
shoal verify release.csv -k 2 --quasi age,sex
