. "$CASES/lib.sh"
printf 'bucket,age,bucket_2,ill\na,1,x,"flu, bad"\nb,2,y,\nc,3,z,\nd,4,x,gout\n' > in.csv
shoal anonymize in.csv -o out.csv --l 2 --quasi age --sensitive ill --rest release --method anatomy --output-delimiter ';' --quiet
head -2 out.csv
cat out.sensitive.csv
shoal verify out.csv --l 2 --quasi age --sensitive ill --quiet; echo "exit $?"
# A second file that somebody else put there is none of ours.
printf 'age,ill\n1,flu\n1,gout\n' > own.csv
printf 'a,b\n1,2\n' > own.sensitive.csv
shoal verify own.csv --l 2 --quasi age --sensitive ill --quiet; echo "exit $?"
printf 'bucket,column,value,count\n1,ill,flu,1\n' > own.sensitive.csv
shoal verify own.csv --l 2 --quasi age --sensitive ill --quiet; echo "exit $?"
shoal verify own.csv --l 2 --quasi age --sensitive ill --sensitive-table own.sensitive.csv; echo "exit $?"
