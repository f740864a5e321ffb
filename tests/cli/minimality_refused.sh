# What cannot withstand minimality is refused before anything is read: the input does not exist.
run() { shoal anonymize nowhere.csv -o out.csv -k 2 --quasi zip --sensitive ill --against minimality "$@"; echo "exit code $?"; }
run
run --l 2 --method incognito
run --l 2 --method nonhomogeneous
run --l 2 --method anatomy
run --l 2 --method bucketize:from=incognito
run --l 2 --suppress 0.1
run --l 2 --memory 1G
run --l 2 --person name
run --l 2 --population people.csv --k-map 2
shoal refine nowhere.csv old.csv -o out.csv --spec <(printf 'columns: {zip: {role: quasi}, ill: {role: sensitive}}\nprivacy: {k: 2, l: 2, attacks: [minimality]}\n'); echo "exit code $?"
shoal anonymize nowhere.csv -o out.csv -k 2 --against minimalty; echo "exit code $?"
