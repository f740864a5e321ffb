#!/bin/sh
# The figures of docs/performance.md and docs/attacks.md; see bench/run.py and bench/attacks.py. Arguments are
# passed on to the first; one table alone leaves attacks out.
set -e
folder=$(dirname "$0")
python3 "$folder/run.py" "$@"
case " $* " in
    *" --only"* | *" --help "* | *" -h "*) ;;
    *" --write "*) python3 "$folder/attacks.py" --write ;;
    *) python3 "$folder/attacks.py" ;;
esac
