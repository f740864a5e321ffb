. "$CASES/lib.sh"
# Five patients, nine visits: a number that comes back tells whose record it is.
printf 'visit_id,patient_id,ward_id,age,ill\n1,a,x,30,flu\n2,a,x,30,gout\n3,b,x,41,flu\n4,b,x,41,cold\n5,c,x,52,flu\n6,d,x,63,flu\n7,d,x,63,cold\n8,e,x,33,gout\n9,e,x,33,flu\n' > visits.csv
shoal inspect visits.csv --output spec.yaml | grep -E 'visit_id|patient_id|ward_id|age'
grep -E 'patient_id|visit_id' spec.yaml
