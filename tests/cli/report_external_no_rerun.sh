# The page for readers outside has nothing that helps to repeat the run.
. "$CASES/lib.sh"
make_patients
common="--quasi age,zip,sex --sensitive diagnosis --identifier name --seed 4711 --quiet"
for method in topdown anatomy nonhomogeneous:size=3; do
    ask="-k 3"
    [ $method = anatomy ] && ask="--l 2"
    shoal anonymize patients.csv -o out.csv $ask $common --method $method --report in.html --report-external out.html
    input=$(sha256sum < patients.csv | cut -c 1-64)
    version=$(shoal --version | head -n 1 | grep -o '[0-9][0-9.]*')
    for page in in.html out.html; do
        for word in 4711 Seed "${method%:*}" partition "$input" "Shoal $version" ">$version<"; do
            grep -q -- "$word" $page && echo "$method $page has $word" | sed "s/$input/INPUT/;s/$version/VERSION/"
        done
    done
    grep -c 'SHA-256' out.html
done
# Drawn by a test's seed: said on both pages, in the summary and in the JSON.
shoal anonymize patients.csv -o out.csv --l 2 $common --method anatomy:test_seed=1 --report in.html --report-external out.html
grep -c 'Not for publication' in.html out.html
shoal anonymize patients.csv -o out.csv --l 2 --quasi age,zip,sex --sensitive diagnosis --identifier name --method anatomy:test_seed=1 --json | grep -e not_for -e '"code"'
