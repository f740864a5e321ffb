# The same by all three ways to ask, also behind other options.
shoal help verify > a
shoal verify -h > b
shoal verify -k 3 file --help > c
cmp a b && cmp b c
shoal help > d
shoal -h > e
cmp d e
for words in '--help' 'help --help' 'help -h' 'help help'; do
    shoal $words > f
    cmp d f
done
