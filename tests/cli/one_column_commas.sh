# In a file of one column no header tells the delimiter: commas in values are quoted, so that it can be read back.
printf 'age|id\na,x|1\nb,y|2\na,x|3\n' > table.csv
shoal anonymize table.csv -o release.csv -k 1 --quasi age --identifier id --output-delimiter '|' --method topdown --quiet
cat release.csv
shoal measure table.csv release.csv -k 1 --quasi age --delimiter '|' | grep -E 'Records|Classes'
