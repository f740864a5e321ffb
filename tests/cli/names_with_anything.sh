. "$CASES/lib.sh"
# Names and values with delimiters, quotes, line breaks and a terminal's escape character.
printf '"a,""b""\nc",x\n"v,1",2\n"v\n2",3\n"v""3",4\n' > in.csv
printf 'columns: {"a,\\"b\\"\\nc": quasi}\nprivacy: {k: 3}\n' > spec.yaml
shoal anonymize --method topdown in.csv -o - --rest release --spec spec.yaml --categorical set
shoal anonymize --method topdown in.csv -o - --rest release --spec spec.yaml -k 1 --quiet
shoal anonymize --method topdown in.csv -o out.csv -k 3 --quasi "$(printf '\033[32mgreen')"
ends
