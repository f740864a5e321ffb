. "$CASES/lib.sh"
# What a release tells without its original: ends of ranges, open ends, sets, two columns, dates.
printf 'age,sex,day\n"[20, 30[",{F|M},[2024-01-01..2024-01-10]\n30-39,F,2024-01-11\n>=40,M,*\n' > release.csv
ask() {
    shoal query release.csv "$1" --quasi age,sex,day | head -1
}
ask "COUNT WHERE age < 25"                    # 5 of 10 years
ask "COUNT WHERE sex = M"                     # 1/2 + 1
ask "COUNT WHERE day <= 2024-01-05"           # 5/10 + 5/11
ask "COUNT WHERE age >= 40"
printf 'age_min,age_max\n20,29\n30,30\n' > release.csv
shoal query release.csv "AVG(age)" --quasi age | head -1
# A hierarchy file tells the values that the release does not show.
make_jobs
printf 'job\n*\nkitchen\n' > release.csv
shoal query release.csv "COUNT WHERE job = cook" --quasi job --hierarchy job=job.csv | head -1
# What is not told.
printf 'zip,sex\n537**,*\n' > release.csv
shoal query release.csv "COUNT" --quasi zip --hierarchy zip=prefix
echo "exit $?"
shoal query release.csv "COUNT" --quasi sex
echo "exit $?"
