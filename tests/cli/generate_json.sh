shoal generate uniform --records 3 -o u.csv --json
