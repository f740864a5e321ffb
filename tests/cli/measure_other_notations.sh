. "$CASES/lib.sh"
# As other tools write it; two records are left out.
printf 'age,job\n20,nurse\n25,cook\n30,nurse\n40,baker\n50,cook\n60,nurse\n' > original.csv
make_jobs
printf 'age,job\n20-30,*\n"[20, 30]",work\n"[40, 51[",kitchen\n{40|50},{baker|cook}\n' > release.csv
shoal measure original.csv release.csv --quasi age,job --hierarchy job=job.csv
printf 'age,job\n20-30,*\nold,work\n' > strange.csv
shoal measure original.csv strange.csv --quasi age,job --hierarchy job=job.csv
