. "$CASES/lib.sh"
printf 'bucket,age\n1,20\n1,30\n2,40\n2,50\n' > r.csv
try() {
    printf 'bucket,column,value,count\n' > r.sensitive.csv
    printf '%s\n' "$@" >> r.sensitive.csv
    shoal verify r.csv --l 2 --quasi age --sensitive ill --type ill=integer --quiet
    echo "exit $?"
}
try 1,ill,1,1 1,ill,2,1 2,ill,1,1 2,ill,3,1
try 1,ill,1,2 2,ill,1,1 2,ill,3,1
try 1,ill,1,1 2,ill,1,1 2,ill,3,1
try 1,ill,1,1 1,ill,2,1 2,ill,1,9007199254740992 2,ill,2,9007199254740992
try 1,ill,1,1 1,ill,2,1 3,ill,1,2
try 1,ill,1,0 1,ill,2,2 2,ill,1,1 2,ill,3,1
try 1,ill,1,-1 1,ill,2,3 2,ill,1,1 2,ill,3,1
try 1,ill,one,1 1,ill,2,1 2,ill,1,1 2,ill,3,1
try 1,ill,1,few 1,ill,2,1 2,ill,1,1 2,ill,3,1
try 1,job,1,1 1,job,2,1 2,job,1,1 2,job,3,1
try 1,ill,1
printf 'bucket,column,value,count\n' > r.sensitive.csv
shoal verify r.csv --l 2 --quasi age --sensitive ill; echo "exit $?"
printf 'bucket,column,value,number\n1,ill,2,2\n' > other.csv
shoal verify r.csv --l 2 --quasi age --sensitive ill --sensitive-table other.csv; echo "exit $?"
shoal verify r.csv --l 2 --quasi age --sensitive ill --sensitive-table absent.csv; echo "exit $?"
