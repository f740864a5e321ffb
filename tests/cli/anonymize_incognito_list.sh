# What the method is asked to tell is told, unless nothing but errors shall be.
printf 'age,sex\n1,F\n1,M\n2,F\n2,M\n' > in.csv
shoal anonymize in.csv -o out.csv -k 2 --quasi age,sex --hierarchy age=flat --method incognito:list=yes 2>&1 | grep minimal
shoal anonymize in.csv -o out.csv -k 2 --quasi age,sex --hierarchy age=flat --method incognito:list=yes --quiet
