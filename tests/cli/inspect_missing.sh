printf 'age,sex,empty\n1,F,\n?,M,\n3,,\n' > in.csv
shoal inspect in.csv
