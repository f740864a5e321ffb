. "$CASES/lib.sh"
make_patients
# Classes of three and more; two of them overlap at 34, where a person fits both.
printf 'age,sex\n[24..30],*\n[24..30],*\n[24..30],*\n[24..30],*\n[31..41],*\n[31..41],*\n[31..41],*\n[31..41],*\n[34..55],*\n[34..55],*\n[34..55],*\n[34..55],*\n' > release.csv
columns="--attacks linkage --quasi age,sex --identifier name,zip,job"
shoal attack patients.csv release.csv $columns -k 4
shoal attack patients.csv release.csv $columns -k 5
shoal attack patients.csv release.csv $columns
shoal attack patients.csv release.csv $columns -k 4 --known 0.5 --seed 3
shoal attack patients.csv release.csv $columns -k 4 --errors 0.5 --seed 3 --json | python3 -c '
import json, sys
found = json.load(sys.stdin)["attacks"][0]
print(found["name"], found["people"], found["kept"], found["low"] < found["reached"] < found["high"])'
ends
