. "$CASES/lib.sh"
shoal generate census --records 3000 --seed 2 -o people.csv
quasi=age,sex,education,zip
shoal anonymize people.csv -o whole.csv -k 10 --quasi $quasi --method mondrian --quiet
mkdir spare
SHOAL_TMPDIR=spare shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --method mondrian --memory 100M --quiet
cmp whole.csv limited.csv && echo the same release
TMPDIR=spare shoal anonymize - -o - -k 10 --quasi $quasi --method mondrian --memory 100M --quiet < people.csv | cmp - whole.csv && echo the same from a pipe
ls -A spare
SHOAL_TMPDIR=none shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --memory 100M --quiet
shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --memory much
shoal anonymize people.csv -o whole.csv -k 10 --quasi $quasi --method mondrian --t 0.4 --l distinct:3 --sensitive occupation --quiet
shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --method mondrian --t 0.4 --l distinct:3 --sensitive occupation --memory 100M --quiet
cmp whole.csv limited.csv && echo the same release by sensitive values
shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --memory 100M --method incognito
shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --memory 100M --method mondrian:box=region
shoal anonymize people.csv -o limited.csv --quasi $quasi --memory 100M --k-map 5 --population people.csv
shoal anonymize people.csv -o limited.csv -k 10 --quasi $quasi --memory 1k --threads 2
ends
