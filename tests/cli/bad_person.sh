. "$CASES/lib.sh"
printf 'who,age,ill,other\nA,30,x,1\nA,30,y,2\n,30,z,3\nB,31,x,4\n' > visits.csv
try() {
    echo "--- $*" >&2
    shoal anonymize visits.csv -o out.csv -k 2 "$@"
    echo "exit code $?" >&2
}
set +e
try --quasi age --person who
try --quasi age --person who --missing-person own -q
try --quasi age,who --person who
try --quasi age --person who --identifier who
try --quasi age --person who --insensitive who
try --quasi age --person nobody
try --quasi age --person who,other
try --quasi age --person who --k-column who
try --quasi age --person who --missing-person drop
try --quasi age --person who --method nonhomogeneous
try --quasi age --person who --sensitive ill --l 2 --method anatomy
try --quasi age --person who --memory 1G
try --quasi age --person who --missing-person own --sensitive ill --alpha 0.5
cat > two.yaml <<'YAML'
columns:
  who: person
  other: person
  age: quasi
privacy: {k: 2}
YAML
try --spec two.yaml
