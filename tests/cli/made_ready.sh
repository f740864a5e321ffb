# Columns made ready before a method sees them: in the spec, in summary and JSON, in measure; mistakes with place.
cat > table.csv << 'END'
age,zip,icd,fee
23,53703,C50.9,12.34
91,53703,C50.1,99.5
45,53704,E11.0,3
96,53711,E11.9,250
24,53711,C50.9,0.05
44,53703,E11.0,17
END
cat > spec.yaml << 'END'
columns:
  age: {role: quasi, hierarchy: {breaks: [[40, 90]]}, generalize: 1}
  zip: {role: quasi, hierarchy: {prefix: 5}, generalize: 2}
  icd: {role: sensitive, truncate: 3}
  fee: {role: insensitive, top: 100, round: 0.5}
privacy: {k: 2}
method: topdown
END
shoal anonymize table.csv -o release.csv --spec spec.yaml 2> /dev/null && cat release.csv
shoal measure table.csv release.csv --spec spec.yaml | grep -A3 Before
shoal anonymize table.csv -o options.csv -k 2 --quasi age,zip --top age=90 --bottom age=30 --round zip=10 --json -q | grep -A 12 made_ready
cat options.csv
for change in 's/generalize: 1/generalize: 3/' 's/truncate: 3/round: 3/' 's/top: 100/top: much/' 's/top: 100/top: 1, bottom: 2/' \
    's/truncate: 3/truncate: 3, round: 1/' 's/role: insensitive, //' 's/fee:/fees:/' 's/round: 0.5/round: 0/' 's/round: 0.5/rond: 5/'; do
    sed "$change" spec.yaml > bad.yaml
    shoal anonymize table.csv -o bad.csv --spec bad.yaml
done
shoal anonymize table.csv -o bad.csv --spec spec.yaml --memory 100M --threads 1 --quiet
cat bad.csv
