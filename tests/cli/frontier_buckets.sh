# Buckets lose the least; that they hide no identities is told wherever one was tried.
printf 'age,ill\n1,flu\n2,gout\n3,flu\n4,gout\n' > in.csv
shoal frontier in.csv --quasi age --sensitive ill --sweep k=2 --try mondrian --try bucketize | tail -2
shoal frontier in.csv --quasi age --sensitive ill --sweep k=2 --try mondrian | tail -1
