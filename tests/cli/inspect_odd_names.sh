# Names of columns that would move the cursor or break the line are shown harmless.
printf '"a\tb","c\nd",e\n1,2,x\n3,4,y\n' > odd.csv
shoal inspect odd.csv --quasi "$(printf 'c\nd')"
