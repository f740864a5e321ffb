# Every example of every help works as written, in an empty folder.
for command in $(shoal help | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help); do
    mkdir "$command"
    shoal "$command" --help | sed -n '/^Examples:$/,/^Exit codes:$/p' | grep '^  ' |
        grep -v '^  [0-9]' > "$command/script"
    # A server goes on until it is told to stop, here once it has told its address.
    (cd "$command" && if [ "$command" = serve ]; then
        timeout -s INT 100 bash -e script > out 2> err &
        while kill -0 $! 2> /dev/null && ! grep -qs '#token=' out; do sleep 0.1; done
        kill -INT $!
        wait $! || true
        grep -q '^.*http://127.0.0.1:[0-9]*/#token=[0-9a-f]*' out
    else
        bash -e script > out 2> err
    fi) ||
        { echo "an example of $command fails"; cat "$command/err"; }
    echo "$command: $(wc -l < "$command/script") lines"
done
