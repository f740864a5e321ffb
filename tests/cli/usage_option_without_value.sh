shoal verify x.csv -k
