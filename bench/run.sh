#!/bin/sh
# The figures of docs/performance.md; see bench/run.py. Arguments are passed on.
exec python3 "$(dirname "$0")/run.py" "$@"
