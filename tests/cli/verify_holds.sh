printf 'age,sex,d\n[20..29],F,a\n[20..29],F,b\n30,M,a\n30,M,c\n' > release.csv
shoal verify release.csv -k 2 --quasi age,sex
