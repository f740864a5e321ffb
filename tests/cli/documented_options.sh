    # Every option of every command is in the man page and in the completion.
    for command in $(shoal help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help); do
        shoal "$command" --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort -u > options
        while read -r option; do
            grep -qE -- "(-|Fl |, )${option#-}\b" "$SOURCE/docs/shoal.1" || echo "man page lacks $option of $command"
            grep -qE -- "$option\b" "$SOURCE/cli/completion.bash" || echo "completion lacks $option of $command"
        done < options
    done
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
    try shoal hierarchy b
    try shoal generate ''
    try shoal verify da
END
    bash try.sh
