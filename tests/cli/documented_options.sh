# Documents, man page and completion know every setting and option, with its words.
python3 "$SOURCE/tools/check_settings.py" --root "$SOURCE"
mkdir complete && cd complete && touch data.csv
cat > try.sh <<'END'
. "$SOURCE/cli/completion.bash"
try() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _shoal
    echo "${COMPREPLY[*]}"
}
try shoal an
try shoal anonymize --num
try shoal anonymize --numeric m
try shoal anonymize --method mon
try shoal anonymize --measure u
try shoal anonymize --l e
try shoal anonymize -o da
try shoal anonymize --spec da
try shoal anonymize --keep-order da
try shoal anonymize -k da
try shoal help se
try shoal hierarchy b
try shoal generate ''
try shoal verify da
END
bash try.sh
