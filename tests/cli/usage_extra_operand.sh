shoal verify a.csv b.csv -k 3 --quasi age
