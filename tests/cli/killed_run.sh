. "$CASES/lib.sh"
# A run that is killed cannot clean up; the next one into the same folder does, and leaves alone what is not its own.
shoal generate census --records 100000 --seed 2 -o people.csv
mkdir spare
touch .out.csv.shoal-longer-name .other.csv.shoal-abcdef .shoal-abcdef .third.csv.shoal-a_cdef
touch .third.csv.shoal-Ab3dEf && chmod 600 .[a-z]*
echo was here > .fourth.csv.shoal-Ab3dEf-kept
chmod 644 .other.csv.shoal-abcdef
SHOAL_TMPDIR=spare shoal anonymize people.csv -o out.csv -k 10 --quasi age,sex,education,marital,zip --memory 64M --threads 2 --quiet &
until ls -A | grep -q '^\.out\.csv\.shoal-......$' || ! kill -0 $!; do sleep 0.01; done
kill -KILL $!
wait $! 2> /dev/null
ls -A | grep -c '^\.out\.csv\.shoal-......$'
head -200 people.csv > few.csv
SHOAL_TMPDIR=spare shoal anonymize few.csv -o out.csv -k 10 --quasi age,sex --memory 64M --threads 2 --quiet
ls -A spare
rm people.csv
ls -A
cat fourth.csv
rm .out.csv.shoal-longer-name .other.csv.shoal-abcdef .shoal-abcdef .third.csv.shoal-a_cdef
