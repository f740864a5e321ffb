. "$CASES/lib.sh"
make_patients
check() { shoal attack "$@" --quasi age,sex --identifier name,zip,job -k 3; echo "exit $?"; }
sed 1d patients.csv | awk -F, 'BEGIN { print "age,sex" } { print $2 "," $4 }' > release.csv
check patients.csv
check patients.csv release.csv --attacks sniffing
check patients.csv release.csv --known 0
check patients.csv release.csv --errors 1
check patients.csv absent.csv
check - - --attacks linkage
echo '--- releases that do not belong to the original'
printf 'age,sex\n24,M\n' > other.csv
check patients.csv other.csv
printf 'age\n24\n' > narrow.csv
check patients.csv narrow.csv
{ cat release.csv; echo 24,F; } > longer.csv
check patients.csv longer.csv
check patients.csv release.csv --release other.csv
echo '--- attacks that lack something'
check patients.csv release.csv --attacks homogeneity
check patients.csv release.csv --attacks definetti
check patients.csv release.csv --attacks presence
check patients.csv release.csv --attacks presence --population absent.csv
check patients.csv release.csv --attacks homogeneity --sensitive diagnosis
echo '--- attacks that do not apply to what the releases are'
shoal anonymize patients.csv -o classes.csv -k 3 --quasi age,sex --sensitive diagnosis --method topdown --quiet --accept single-value,range-ends
shoal anonymize patients.csv -o buckets.csv --l distinct:2 --quasi age,sex --sensitive diagnosis --method anatomy --quiet
check patients.csv classes.csv --release buckets.csv --attacks composition --sensitive diagnosis
check patients.csv classes.csv --release buckets.csv --attacks intersection --sensitive diagnosis
check patients.csv buckets.csv --attacks matching --sensitive diagnosis
check patients.csv classes.csv --attacks minimality --sensitive diagnosis --method mondrian --l distinct:2 --seed 3
ends
