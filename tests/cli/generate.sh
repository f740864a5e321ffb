shoal generate uniform --records 3
shoal generate gaussian --records 3 --dimensions 2 --sigma 2 --seed 5
shoal generate census --records 3 -o people.csv
head -1 people.csv
shoal generate census --records 10 | head -4 | cmp - people.csv && echo "a longer table starts with the shorter one"
shoal generate census --records 20000 --threads 1 | cksum > a
shoal generate census --records 20000 --threads 5 | cksum > b
cmp a b
shoal generate payments --records 2 --dimensions 7
shoal generate payments --records 200 -o wide.csv --write-spec wide.yaml
shoal anonymize wide.csv -o release.csv --spec wide.yaml --method mondrian --quiet && head -1 release.csv
