# Codes that are known, in a hierarchy of their own and in a run; what is not known is listed.
cat > visits.csv <<END
id,dx,country,job
1,A15.0,DE,2221
2,A15.3,AT,2212
3,A16.2,FR,2221
4,C50.9,JP,0110
5,C50.1,US,5120
6,J45.0,CA,5131
END
shoal hierarchy build visits.csv --column dx --codes icd10
shoal hierarchy build visits.csv --column country --codes countries -o country.csv
shoal hierarchy check visits.csv --column country country.csv
shoal anonymize visits.csv -o - -k 3 --quasi dx,country,job --hierarchy dx=icd10 --hierarchy country=countries \
    --hierarchy job=isco --identifier id --method mondrian --quiet
cat > spec.yaml <<END
columns:
  id: identifier
  dx: {role: quasi, hierarchy: {codes: icd10, other: unknown, weights: {A00-B99: 0.6}}}
  country: {role: quasi, hierarchy: countries}
  job: {role: quasi, hierarchy: "isco:unknown"}
privacy: {k: 3}
END
shoal anonymize visits.csv -o a.csv --spec spec.yaml --method mondrian --quiet && cat a.csv
# What is not known.
printf 'dx\nA15.0\nfoo\nfoo\nU99.9!\nH99\n' > bad.csv
shoal hierarchy show bad.csv --column dx --codes icd10
echo $?
shoal hierarchy show bad.csv --column dx --codes icd10 --show-values
shoal anonymize bad.csv -o - -k 2 --quasi dx --hierarchy dx=icd10
shoal hierarchy show bad.csv --column dx --codes icd10:other
# What is no system, and no group.
shoal hierarchy show bad.csv --column dx --codes icd11
shoal hierarchy show bad.csv --column dx --codes icd10:
printf 'columns:\n  dx:\n    role: quasi\n    hierarchy: {codes: icd11}\n' > wrong.yaml
shoal anonymize bad.csv -o - -k 2 --spec wrong.yaml
printf 'columns:\n  dx:\n    role: quasi\n    hierarchy: {prefix: 3, other: x}\n' > wrong.yaml
shoal anonymize bad.csv -o - -k 2 --spec wrong.yaml
# A file of such a name.
shoal hierarchy build visits.csv --column dx --codes icd10 -o icd10
shoal hierarchy check visits.csv --column dx icd10
