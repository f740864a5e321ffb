# Six records, both of zip 1 ill: joined with the others because of them, they were found out. With the defence the release is
# one that other worlds lead to as well; so is that of eight records whose halves hold.
printf 'zip,ill\n1,HIV\n1,HIV\n2,flu\n2,flu\n2,flu\n2,flu\n' > six.csv
shoal anonymize six.csv -o six.out.csv -k 2 --quasi zip --sensitive ill --alpha 0.5:HIV --against minimality
cat six.out.csv
printf 'zip,ill\n1,HIV\n1,flu\n2,HIV\n2,gout\n3,flu\n3,gout\n4,HIV\n4,flu\n' > eight.csv
shoal anonymize eight.csv -o eight.out.csv -k 2 --quasi zip --sensitive ill --l 2 --against minimality --method mondrian --report-external page.html --report report.json
cat eight.out.csv
grep -o 'Sensitive values</strong> are protected[^:]*' page.html
python3 -c 'import json; print(json.load(open("report.json"))["configuration"]["attacks"])'
