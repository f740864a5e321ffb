# One person in three ways is three to the program: said, and no release by --strict.
printf 'who,age,ill\nA1,30,x\nA1 ,30,y\na1,30,z\nB,31,x\nC,31,y\nD,31,z\n' > visits.csv
run() { shoal anonymize visits.csv -o release.csv -k 3 --quasi age --sensitive ill --person who --method topdown --quiet "$@"; echo "exit $?"; }
run
rm release.csv
run --strict
ls
