. "$CASES/lib.sh"
make_patients
columns="--quasi age,sex,job --identifier name,zip --sensitive diagnosis"
shoal anonymize patients.csv -o release.csv -k 3 $columns --quiet --method mondrian
for workload in "xu-count" "xu-sum --sum age" "lili --qd 2 --sel 0.1" "xu-count --columns age,job"; do
    shoal query release.csv --workload $workload --queries 100 $columns --original patients.csv
done
shoal query release.csv --workload lili --queries 50 --qd 1 --seed 4 $columns --original patients.csv --estimator marginal --json
# The original answers everything right.
shoal query patients.csv --workload lili --queries 100 $columns --original patients.csv | head -2
# Mistakes.
shoal query release.csv --workload lili $columns
shoal query release.csv --workload lilli $columns --original patients.csv
shoal query release.csv --workload lili --qd 4 $columns --original patients.csv
shoal query release.csv --workload lili --sel 0 $columns --original patients.csv
shoal query release.csv --workload lili --queries none $columns --original patients.csv
shoal query release.csv --workload xu-sum --sum job $columns --original patients.csv
shoal query release.csv --workload xu-count --columns age,zip $columns --original patients.csv
shoal query release.csv --workload lili --quasi age --original patients.csv
