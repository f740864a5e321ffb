# Every example of every help works as written, in an empty folder.
for command in anonymize verify measure refine risk inspect hierarchy generate methods; do
    mkdir "$command"
    shoal "$command" --help | sed -n '/^Examples:$/,/^Exit codes:$/p' | grep '^  ' |
        grep -v '^  [0-9]' > "$command/script"
    (cd "$command" && bash -e script > out 2> err) ||
        { echo "an example of $command fails"; cat "$command/err"; }
    echo "$command: $(wc -l < "$command/script") lines"
done
