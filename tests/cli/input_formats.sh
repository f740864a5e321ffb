# Numbers and dates as people write them: proposed, used only when said, released in the usual form.
cat > table.csv << 'END'
birth;fee;seen
03.05.1980;1.234,50;03/04/2020
31.12.1975;12,00;01/02/2020
01.01.1981;NA;03/04/2020
02.02.1990;0,5;05/06/2020
END
shoal inspect table.csv > /dev/null
cat > spec.yaml << 'END'
input: {date_format: DD.MM.YYYY, decimal: ",", thousands: "."}
missing: {tokens: [NA], action: keep}
columns:
  birth: quasi
  fee: {role: quasi, type: real}
  seen: {role: quasi, date_format: DD/MM/YYYY}
privacy: {k: 2}
method: topdown
END
shoal anonymize table.csv -o release.csv --spec spec.yaml -q && cat release.csv
shoal verify release.csv --spec spec.yaml -q && shoal measure table.csv release.csv --spec spec.yaml | head -n 3
shoal anonymize table.csv -o options.csv --spec spec.yaml --date-format birth=DD.MM.YYYY --decimal fee=, --thousands fee=. -q && cmp options.csv release.csv
printf 'birth;fee;seen\n03.05.1980;1.5;03/04/2020\n' > points.csv
shoal anonymize points.csv -o - --spec spec.yaml
printf 'birth;fee;seen\n31.02.1980;1,5;03/04/2020\n' > day.csv
shoal anonymize day.csv -o - --spec spec.yaml --type birth=date
shoal anonymize table.csv -o - --spec spec.yaml --date-format DD.MM.YY
shoal anonymize table.csv -o - --spec spec.yaml --decimal ';'
printf 'columns: {a: {role: quasi, date_format: MM.YYYY, decimal: x}}\n' > bad.yaml
shoal anonymize table.csv -o - --spec bad.yaml -k 2
