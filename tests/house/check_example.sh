#!/bin/sh
# The example does what its comments say: run it on the patients, and on a file that is not there.
set -eu
program=$1
patients=$(cd "$(dirname "$0")/../../examples" && pwd)/patients.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" "$patients" "$work/release.csv" > "$work/printed"
grep -q '^records 60$' "$work/printed"
head -n 1 "$work/release.csv" | grep -qx 'age,zip,job,sex,diagnosis'

# At least three of each kind, counted without the library.
smallest=$(tail -n +2 "$work/release.csv" | sed 's/,[^,]*$//' | sort | uniq -c |
    sort -n | awk 'NR == 1 { print $1 }')
[ "$smallest" -ge 3 ]
grep -qx "smallest class $smallest" "$work/printed"

if "$program" "$work/missing.csv" "$work/other.csv" 2> "$work/error"; then
    echo "a missing input was accepted" >&2
    exit 1
fi
grep -q 'missing.csv: ' "$work/error"
[ ! -e "$work/other.csv" ]
