shoal verify x.csv --quiet=yes
