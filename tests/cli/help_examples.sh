# Every example of every help works as written, in an empty folder.
for command in $(shoal help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help); do
    mkdir "$command"
    shoal "$command" --help | sed -n '/^Examples:$/,/^Exit codes:$/p' | grep '^  ' |
        grep -v '^  [0-9]' > "$command/script"
    (cd "$command" && bash -e script > out 2> err) ||
        { echo "an example of $command fails"; cat "$command/err"; }
    echo "$command: $(wc -l < "$command/script") lines"
done
