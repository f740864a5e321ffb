# Columns that are called otherwise in releases; a column that is dropped, and one with a coarsest level.
. "$CASES/lib.sh"
make_patients
cat > spec.yaml <<END
columns:
  age: {role: quasi, rename: years, top: 60}
  zip: {role: quasi, hierarchy: {prefix: 5}, rename: "post;code", coarsest: 3}
  job: {role: identifier}
privacy: {k: 2}
method: mondrian
END
head -n 1 patients.csv
shoal anonymize patients.csv -o release.csv --spec spec.yaml --quiet
head -n 3 release.csv
shoal verify release.csv --spec spec.yaml --quiet && echo verified
shoal measure patients.csv release.csv --spec spec.yaml | head -n 5
shoal anonymize patients.csv -o again.csv --spec spec.yaml --rename age=Alter --quiet
head -n 1 again.csv
# What cannot be.
for change in 's/rename: years/rename: zip/' 's/rename: years/rename: job/' 's/rename: years/rename: ""/' \
    's/role: identifier/role: identifier, rename: x/' 's/coarsest: 3/coarsest: 9/' 's/coarsest: 3/generalize: 2, coarsest: 1/' \
    's/coarsest: 3/coarsest: 0/' 's/method: mondrian/method: incognito/' 's/age:/ages:/'; do
    sed "$change" spec.yaml > bad.yaml
    shoal anonymize patients.csv -o bad.csv --spec bad.yaml
done
ls bad.csv
