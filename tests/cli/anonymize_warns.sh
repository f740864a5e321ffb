. "$CASES/lib.sh"
# A column nobody gave a role, and nearly unique.
{ echo id,age; for i in $(seq 40); do echo "p$i,$((i % 4))"; done; } > in.csv
shoal anonymize in.csv -o out.csv -k 3 --quasi age
shoal anonymize in.csv -o out.csv -k 3 --quasi age --quiet
shoal anonymize in.csv -o out.csv -k 3 --quasi age --insensitive id
