. "$CASES/lib.sh"
# Values with a comma, a quote or an equals sign are named in quotes.
printf 'age,ill\n20,"TB, open"\n21,flu\n22,"a ""b"""\n23,x=y\n24,flu\n25,flu\n' > in.csv
check() { shoal verify in.csv --quasi age --sensitive ill --show-values "$@" | grep -v Seconds; }
check --alpha '0.5:"TB, open",flu'
check --alpha '0.5:flu,"TB, open"'
check --alpha 'ill=0.5:"a ""b"""' --alpha '0.5:"x=y"'
for bad in '0.5:"TB, open' '0.5:"TB"x,flu' '0.5:"'; do
    shoal verify in.csv --quasi age --sensitive ill --alpha "$bad"
    echo $?
done
