. "$CASES/lib.sh"
# A column nobody gave a role, and nearly unique.
{ echo id,age; for i in $(seq 40); do echo "p$i,$((i % 4))"; done; } > in.csv
shoal anonymize in.csv -o out.csv -k 3 --quasi age --rest release
shoal anonymize in.csv -o out.csv -k 3 --quasi age --rest release --quiet
shoal anonymize in.csv -o out.csv -k 3 --quasi age --rest release --insensitive id
# Named like an identifier, though its values come back; school_name is not, unless they hardly do.
printf 'name,school_name,age\nAnn,A,1\nBob,A,1\nAnn,B,2\nBob,B,2\nAnn,B,2\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age --rest release --method topdown 2>&1 | grep warning >&2
shoal anonymize in.csv -o out.csv -k 2 --quasi age --rest release --method topdown --identifier name --quiet
