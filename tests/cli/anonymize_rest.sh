. "$CASES/lib.sh"
# Nothing undecided is released: columns without a role are left out, and said to be.
make_patients
roles="--quasi age,zip --identifier name --sensitive diagnosis --method topdown"
shoal anonymize patients.csv -o out.csv -k 3 $roles
head -2 out.csv
# All of it on purpose, or one column of it.
shoal anonymize patients.csv -o out.csv -k 3 $roles --rest release
head -2 out.csv
shoal anonymize patients.csv -o out.csv -k 3 $roles --insensitive job --json | sed -n '/"released_as_is"/,/"left_out"/p;/"configuration"/,$p' | grep -v seconds
head -2 out.csv
# In the spec; an option overrides it. A type alone decides nothing.
printf 'columns: {name: identifier, age: quasi, zip: quasi, diagnosis: sensitive, sex: {type: string}}\nprivacy: {k: 3}\nmethod: topdown\nrest: release\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml --quiet; head -1 out.csv
shoal anonymize patients.csv -o out.csv --spec spec.yaml --rest drop --quiet; head -1 out.csv
# Within a limit of memory, by buckets, with a box per record, and refined.
shoal anonymize patients.csv -o out.csv --spec spec.yaml --rest drop --memory 128M --threads 1 2>&1 | grep 'Left'; head -1 out.csv
shoal anonymize patients.csv -o out.csv --spec spec.yaml --rest release --memory 128M --threads 1 2>&1 | grep 'As it'; head -1 out.csv
shoal anonymize patients.csv -o fine.csv --spec spec.yaml --rest drop --quiet
shoal refine patients.csv fine.csv -o out.csv --spec spec.yaml --rest drop 2>&1 | grep Left; head -1 out.csv
shoal anonymize patients.csv -o out.csv --spec spec.yaml --rest drop --method anatomy --l 2 2>&1 | grep Left; head -1 out.csv
shoal anonymize patients.csv -o out.csv -k 3 --quasi age,zip --method nonhomogeneous 2>&1 | grep Left; head -1 out.csv
# The column of the records' own k is decided on: it is used.
sed '1s/$/,own_k/; 2,$s/$/,3/' patients.csv > own.csv
shoal anonymize own.csv -o out.csv --k-column own_k $roles 2>&1 | grep Left; head -1 out.csv
# What cannot be.
shoal anonymize patients.csv -o out.csv -k 3 $roles --rest keep
printf 'columns: {age: quasi}\nprivacy: {k: 3}\nrest: [drop]\n' > spec.yaml
shoal anonymize patients.csv -o out.csv --spec spec.yaml
ends
