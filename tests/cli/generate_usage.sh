shoal generate
shoal generate unifrom --records 3
shoal generate uniform
shoal generate uniform --records 0
shoal generate uniform --records -5
shoal generate uniform --records 3 --dimensions 2000
shoal generate gaussian --records 3 --sigma 0
shoal generate census --records 3 --json
shoal generate census --records 3 -o no/such/file.csv
