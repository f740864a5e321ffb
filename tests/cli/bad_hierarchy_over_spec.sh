# An option overrides the spec: its mistakes are not at a line of the spec.
printf 'age\n1\n2\n3\n' > in.csv
printf 'columns:\n  age: {role: quasi, hierarchy: {widths: [5, 10]}}\n' > spec.yaml
shoal anonymize in.csv -o out.csv -k 3 --spec spec.yaml --hierarchy age=widths:5,7
