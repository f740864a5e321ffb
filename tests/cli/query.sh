. "$CASES/lib.sh"
# Estimates by hand. The classes are [24..31] (5 records), [34..47] (5) and [52..55] (2).
make_patients
make_jobs
cat > release.csv <<'END'
age,sex,job,diagnosis
[24..31],*,*,flu
[24..31],*,*,asthma
[24..31],*,*,flu
[24..31],*,*,measles
[24..31],*,*,flu
[34..47],*,work,asthma
[34..47],*,work,flu
[34..47],*,work,gout
[34..47],*,work,gout
[34..47],*,work,flu
[52..55],M,kitchen,asthma
[52..55],M,kitchen,gout
END
ask() {
    echo "$1"
    shoal query release.csv "$1" --quasi age,sex,job --hierarchy job=job.csv --sensitive diagnosis --original patients.csv | head -3
    shoal query release.csv "$1" --quasi age,sex,job --hierarchy job=job.csv --sensitive diagnosis | head -1
}
ask "COUNT"
ask "COUNT WHERE age BETWEEN 30 AND 40"                    # 5 * 2/8 + 5 * 7/14
ask "count where age>=30 and age < 36 and diagnosis = flu" # 3 * 2/8 + 2 * 2/14
ask "COUNT(*) WHERE sex IN (M, F) AND job = kitchen"       # 10 / 2 + 2
ask "COUNT WHERE job IN (nurse, 'baker') AND sex = \"F\""  # 10 * 2/4 / 2
ask "SUM(age) WHERE age <= 45"                             # 5 * 27.5 + (34 + ... + 45) * 5/14
ask "AVG(age) WHERE diagnosis IN (gout,asthma)"
ask "COUNT WHERE age = 20-31 AND age > 27"                 # 5 * 4/8
ask "COUNT WHERE age > 100"
ask "AVG(age) WHERE age > 100"
