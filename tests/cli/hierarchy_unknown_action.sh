# What it should do comes first, then what it needs for that.
printf 'a\n1\n' > in.csv
shoal hierarchy biuld in.csv
