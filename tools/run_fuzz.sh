#!/usr/bin/env bash
# Run every fuzz target with libFuzzer for some seconds, starting from the stored corpus.
#
#     run_fuzz.sh SECONDS [TARGET...]
#
# New inputs are kept under build/fuzz/corpus/; what crashes, under build/fuzz/crashes/. An input
# that found a bug belongs into tests/fuzz/corpus/<target>/ together with the fix.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:?usage: run_fuzz.sh SECONDS [TARGET...]}
shift
tools/build.sh fuzz

if [ $# -eq 0 ]; then
    for source in tests/fuzz/fuzz_*.c; do set -- "$@" "$(basename "$source" .c)"; done
fi
for target in "$@"; do
    corpus=$PWD/build/fuzz/corpus/$target
    crashes=$PWD/build/fuzz/crashes/$target
    mkdir -p "$corpus" "$crashes"
    echo "$target: $seconds s"
    if ! "build/fuzz/tests/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -max_len=16384 -artifact_prefix="$crashes/" -print_final_stats=1 \
        "$corpus" "$PWD/tests/fuzz/corpus/$target" > "build/fuzz/$target.log" 2>&1; then
        tail -n 60 "build/fuzz/$target.log"
        echo "$target failed; the input is in $crashes" >&2
        exit 1
    fi
    grep -E 'number_of_executed_units|new_units_added' "build/fuzz/$target.log"
done
