# Refining: a release by another method or tool, in any order, loses less; what cannot be refined is refused.
shoal generate census --records 400 --seed 5 -o in.csv --quiet
flags="-k 5 --quasi age,sex,zip --sensitive income"
shoal anonymize in.csv -o coarse.csv $flags --l 2 --method mondrian:mode=relaxed --quiet
shoal measure in.csv coarse.csv $flags | grep Loss
# The same file in another order, and written by a tool that puts it differently.
(head -n 1 coarse.csv; tail -n +2 coarse.csv | sort -r | sed 's/\[\([0-9]*\)\.\.\([0-9]*\)\]/\1-\2/g') > theirs.csv
shoal refine in.csv theirs.csv -o fine.csv $flags --l 2 2>&1 | grep -E 'Loss|Verified'
shoal refine in.csv coarse.csv -o narrow.csv $flags --l 2 --effort fast --json | grep -E '"(command|gcp|effort)"'
shoal verify fine.csv $flags --l 2 | grep Classes
refuse() { shoal refine "$1" "$2" -o never.csv $flags "${@:3}"; echo "exit $?"; }
flags="-k 500 --quasi age,sex,zip --sensitive income"
refuse in.csv theirs.csv
(head -n 200 coarse.csv) > short.csv
flags="-k 1 --quasi age,sex,zip --sensitive income"
refuse in.csv short.csv
flags="-k 5 --quasi age,sex,zip --sensitive income"
shoal generate census --records 400 --seed 6 -o other.csv --quiet
refuse other.csv coarse.csv --l 1
shoal refine other.csv coarse.csv -o never.csv -k 5 --quasi age,sex,zip; echo "exit $?"
shoal refine in.csv coarse.csv -o coarse.csv $flags; echo "exit $?"
shoal refine in.csv coarse.csv $flags; echo "exit $?"
shoal refine in.csv coarse.csv -o never.csv $flags --time 0; echo "exit $?"
ls
