printf '"a: b",?x\n1,\n2,y\n1,z\n' > in.csv
shoal inspect in.csv -o -
shoal inspect in.csv -o - | shoal anonymize --method topdown in.csv -o - --spec - -k 3 --missing keep --quiet
