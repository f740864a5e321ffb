printf 'age,height_min\n1,1\n1,1\n' > release.csv
shoal verify release.csv -k 2 --quasi agee,height
