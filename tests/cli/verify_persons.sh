. "$CASES/lib.sh"
# A is 30 and was there three times, B is 31: of the rows alone two classes of two would do.
printf 'who,age,ill\nA,30,x\nA,30,y\nB,31,x\nA,30,z\nB,31,y\nC,31,y\n' > visits.csv
ask="--quasi age --sensitive ill --person who --original visits.csv"
echo '--- honest, in another order'
printf 'age,ill\n[30..31],y\n[30..31],x\n[30..31],y\n[30..31],z\n[30..31],x\n[30..31],y\n' > honest.csv
shoal verify honest.csv -k 3 $ask; echo "exit $?"
echo '--- a liar that counts rows'
printf 'age,ill\n30,z\n31,x\n31,y\n30,x\n30,y\n31,y\n' > lie.csv
shoal verify lie.csv -k 2 --quasi age --sensitive ill --person who; echo "exit $?"
shoal verify lie.csv -k 2 $ask; echo "exit $?"
shoal verify lie.csv -k 2 $ask --json | grep -E '"(counted|persons|fewest_persons|holds|passed)"'
echo '--- values by persons: all three have y'
shoal verify honest.csv -k 3 --alpha 0.6 $ask; echo "exit $?"
shoal verify honest.csv -k 3 --l distinct:3 $ask | grep Verified; echo "exit $?"
echo '--- boxes that overlap: whose rows they are is in doubt, unless they stand in order'
printf 'who,age\nA,30\nA,31\nB,31\nB,30\n' > pairs.csv
printf 'age\n[30..31]\n*\n*\n[30..31]\n' > overlap.csv
shoal verify overlap.csv -k 2 --quasi age --person who --original pairs.csv; echo "exit $?"
printf 'who,age\nA,30\nA,31\nB,32\nB,30\n' > pairs.csv
printf 'age\n[31..32]\n30\n[31..32]\n30\n' > shuffled.csv
shoal verify shuffled.csv -k 2 --quasi age --person who --original pairs.csv --strict; echo "exit $?"
printf 'age\n*\n*\n[30..31]\n[30..31]\n' > overlap.csv
shoal verify overlap.csv -k 2 --quasi age --person who --original pairs.csv --strict; echo "exit $?"
shoal verify overlap.csv -k 2 --quasi age --person who --original pairs.csv --strict --accept another-matching; echo "exit $?"
echo '--- what does not belong together'
printf 'age\n30\n30\n30\n31\n' > other.csv
shoal verify other.csv -k 2 --quasi age --person who --original pairs.csv; echo "exit $?"
head -3 overlap.csv > short.csv
shoal verify short.csv -k 2 --quasi age --person who --original pairs.csv; echo "exit $?"
echo '--- a k of each record'
printf 'who,age,k\nA,30,1\nA,31,2\nB,31,3\nC,30,1\n' > own.csv
printf 'age\n30\n31\n31\n30\n' > own_out.csv
shoal verify own_out.csv --k-column k --quasi age --person who --original own.csv; echo "exit $?"
echo '--- a population of four persons, of whom the release has two'
printf 'who,age\nA,30\nA,31\nB,31\nC,30\nD,31\nD,31\n' > people.csv
printf 'who,age\nA,30\nA,31\nB,31\n' > sample.csv
printf 'age\n[30..31]\n[30..31]\n[30..31]\n' > sampled.csv
shoal verify sampled.csv --k-map 4 --population people.csv --quasi age --person who --original sample.csv | grep -v Seconds; echo "exit ${PIPESTATUS[0]}"
shoal verify sampled.csv --k-map 5 --population people.csv --quasi age --person who --original sample.csv -q; echo "exit $?"
echo '--- buckets'
printf 'who,age,ill\nA,30,x\nB,31,y\nC,32,x\nD,33,y\n' > few.csv
shoal anonymize few.csv -o in_buckets.csv --quasi age --sensitive ill --person who --l 2 --method bucketize -q; echo "exit $?"
shoal verify in_buckets.csv --quasi age --sensitive ill --person who --l 2 --original few.csv; echo "exit $?"
echo '--- a column of persons that is published, and ranges off their grid'
printf 'who,age\nA,[30..31]\nA,[30..31]\nB,[30..31]\n' > named.csv
shoal verify named.csv -k 2 --quasi age --person who --original sample.csv -q; echo "exit $?"
shoal verify sampled.csv -k 2 --quasi age --grid age=5 --person who --original sample.csv; echo "exit $?"
