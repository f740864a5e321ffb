. "$CASES/lib.sh"
# Nobody is at the other end of the pipe, to read or to write. The signal comes as soon as the
# program listens to it, or when it has waited for a while.
set -m
mkfifo pipe
printf 'age\n24\n25\n' > in.csv
for command in "inspect pipe" "anonymize in.csv -o pipe -k 2 --quasi age --quiet"; do
    for moment in 0 0.5; do
        shoal $command &
        program=$!
        until listens "$program"; do sleep 0.01; done
        sleep "$moment"
        kill -INT "$program"
        wait "$program"
        echo "exit code $?"
    done
done
ends
