shoal anonimize x.csv
