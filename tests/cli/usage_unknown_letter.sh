shoal verify x.csv -z
