# Outlines: written, checked, converted both ways; what is wrong with one has its place.
printf 'job\nnurse\nbaker\nclerk\n"a ""b"""\n' > people.csv
cat > job.txt <<END
# jobs
*
  health
    nurse
  trades
    baker
    "a ""b"""

  clerk
END
shoal hierarchy check people.csv --column job job.txt
shoal hierarchy convert job.txt -o job.csv && cat job.csv
shoal hierarchy convert job.csv
shoal hierarchy build people.csv --column job --prefix 1 --outline
printf '*\n  health\n    nurse\n   baker\n' > bad.txt
shoal hierarchy check people.csv --column job bad.txt
echo $?
printf '*\n  nurse\nbaker\n  clerk\n' > bad.txt
shoal hierarchy check people.csv --column job bad.txt
printf '*\n  nurse\n  baker\n' > bad.txt
shoal hierarchy check people.csv --column job bad.txt
shoal hierarchy convert job.txt --column job
shoal hierarchy show people.csv --column job job.txt --outline
shoal hierarchy convert job.txt -o job.txt
shoal hierarchy show people.csv --column job --flat --separators .
shoal hierarchy show people.csv --column job --prefix 1 --separators ' '
printf 'columns: {job: {role: quasi, hierarchy: {separators: x}}}\n' > s.yaml
shoal anonymize people.csv -o - -k 2 --spec s.yaml
printf 'columns: {job: {role: quasi, hierarchy: {widths: [5], separators: "."}}}\n' > s.yaml
shoal anonymize people.csv -o - -k 2 --spec s.yaml
printf 'columns: {job: {role: quasi, hierarchy: {separators: " "}}}\n' > s.yaml
shoal anonymize people.csv -o - -k 2 --spec s.yaml --quiet --method mondrian
