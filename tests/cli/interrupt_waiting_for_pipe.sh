. "$CASES/lib.sh"
# Nobody is at the other end of the pipe, to read or to write.
set -m
mkfifo pipe
printf 'age\n24\n25\n' > in.csv
for command in "inspect pipe" "anonymize in.csv -o pipe -k 2 --quasi age --quiet"; do
    shoal $command &
    program=$!
    sleep 0.5
    kill -INT "$program"
    wait "$program"
    echo "exit code $?"
done
ends
