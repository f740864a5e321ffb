. "$CASES/lib.sh"
# The distances; a type gives an order, a hierarchy of the sensitive column its nearness.
make_patients
printf 'flu;infection;*\nmeasles;infection;*\nasthma;other;*\ngout;other;*\n' > diagnosis.csv
for t in 0.1 equal:0.2 hierarchical:0.2; do
    shoal anonymize --method topdown patients.csv -o out.csv --quasi age,sex --sensitive diagnosis --hierarchy diagnosis=diagnosis.csv --identifier name,job,zip --t $t --quiet
    shoal verify out.csv --quasi age,sex --sensitive diagnosis --hierarchy diagnosis=diagnosis.csv --t $t | grep -v Seconds
done
shoal anonymize --method topdown patients.csv -o out.csv --quasi age --sensitive zip --type zip=integer --identifier name,job,sex,diagnosis --t ordered:0.3 --quiet
shoal verify out.csv --quasi age --sensitive zip --type zip=integer --t ordered:0.3 | grep -v Seconds
ends
