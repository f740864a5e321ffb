printf 'born\n1990-01-05\n2001-12-01\n2002-01-01\n' > in.csv
shoal hierarchy show in.csv --column born --dates
