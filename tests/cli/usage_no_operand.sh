shoal anonymize -k 3 --quasi age -o out.csv
