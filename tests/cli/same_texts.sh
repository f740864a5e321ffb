# HIV, "HIV " and hiv are three texts: a warning, and one value where the column says so, in any run.
printf 'age,ill\n30,HIV\n30,HIV \n30,hiv\n30,HIV\302\240\n31,flu\n31,HIV\n31,caf\303\251\n31,cafe\314\201\n' > b.csv
run() { shoal "$@" --quiet --quasi age --sensitive ill; echo "exit $?"; }
run anonymize b.csv -o release.csv --l distinct:2 --method mondrian
rm release.csv
run anonymize b.csv -o release.csv --l distinct:2 --method mondrian --strict
run verify b.csv --l distinct:2
ls
echo "== said"
printf 'columns: {age: quasi, ill: {role: sensitive, same: [blanks, case, unicode]}}\nprivacy: {l: {value: 2, kind: distinct}}\nmethod: mondrian\n' > spec.yaml
shoal anonymize b.csv -o release.csv --spec spec.yaml 2>&1 | grep -vE 'Seconds'
cat release.csv
shoal verify release.csv --spec spec.yaml --quiet; echo "exit $?"
for same in blanks case unicode blanks,case; do
    shoal verify b.csv --quasi age --sensitive ill --l distinct:9 --same ill=$same | sed -n 3p
done
echo "== persons"
printf 'who,age,ill\nA1,30,x\na1 ,30,y\n\303\211a,30,z\nE\314\201A,30,u\n7,31,x\n7.0,31,y\n8,31,z\n9,31,u\n' > visits.csv
shoal anonymize visits.csv -o release.csv -k 2 --quasi age --person who --sensitive ill 2>&1 | grep -E 'Persons|Warnings'
shoal anonymize visits.csv -o whole.csv -k 3 --quasi age --person who --sensitive ill --same who=blanks,case,unicode --method mondrian 2>&1 | grep -E 'Persons|Warnings|Classes'
shoal anonymize visits.csv -o parts.csv -k 3 --quasi age --person who --sensitive ill --same who=blanks,case,unicode --method mondrian --memory 64M 2>&1 | grep -E 'Persons|Warnings|Classes'
cmp whole.csv parts.csv
echo "== refused"
for same in age=case ill=kase ill=case,case ill= ill; do shoal verify b.csv --quasi age --sensitive ill -k 2 --same "$same"; echo "exit $?"; done
printf 'columns:\n  age: quasi\n  ill: {role: sensitive, same: {case: true}}\nprivacy: {k: 2}\n' > wrong.yaml
shoal verify b.csv --spec wrong.yaml; echo "exit $?"
printf 'columns:\n  age: quasi\n  ill: {role: sensitive, same: [case, 3]}\nprivacy: {k: 2}\n' > wrong.yaml
shoal verify b.csv --spec wrong.yaml; echo "exit $?"
printf 'HIV;virus;*\nHIV ;virus;*\nhiv;other;*\nHIV\302\240;virus;*\nflu;virus;*\ncaf\303\251;other;*\ncafe\314\201;other;*\n' > ill.csv
shoal verify b.csv --quasi age --sensitive ill --t hierarchical:0.9 --hierarchy ill=ill.csv --same ill=case; echo "exit $?"
sed -i 's/hiv;other/hiv;virus/' ill.csv
shoal verify b.csv --quasi age --sensitive ill --t hierarchical:0.9 --hierarchy ill=ill.csv --same ill=case 2> /dev/null | sed -n 3p
