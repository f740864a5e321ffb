#!/bin/sh
# The example in memory: what it prints is counted anew, and no file is touched.
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/empty"
(cd "$work/empty" && "$program") > "$work/printed"
[ -z "$(ls -A "$work/empty")" ]

grep -v '^record\|^lost' "$work/printed" > "$work/rows"
[ "$(wc -l < "$work/rows")" -eq 12 ]
# At least three of each kind, counted without the library.
sed 's/,[^,]*$//' "$work/rows" | sort | uniq -c | awk '{ if ($1 < 3) exit 1 }'
# As many records as are told of, in classes of the sizes that are told, each at the risk of its class.
[ "$(grep -c '^record' "$work/printed")" -eq 12 ]
sed -n 's/.*class \([0-9]*\) of \([0-9]*\) records, risk \(.*\)/\1 \2 \3/p' "$work/printed" |
    awk '{ n[$1]++; told[$1] = $2; if ($3 != sprintf("%.2f", 1 / $2)) exit 1 }
         END { for (c in n) if (n[c] != told[c]) exit 1 }'
