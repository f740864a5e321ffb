#!/usr/bin/env bash
# Run every kind of test on every kind of build; quiet unless something fails. The last line is
# "N passed, N failed", with ", N skipped" where tests were skipped.
#
#     run_tests.sh [STAGE...]        stages: dev release clang tsan; all without arguments
set -uo pipefail
cd "$(dirname "$0")/.."

jobs=$(nproc)
logs=build/logs
passed=0
failed=0
skipped=0
mkdir -p "$logs"

# step NAME COMMAND...: one thing that passes or fails.
step() {
    local name=$1
    shift
    if "$@" > "$logs/$name.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        tail -n 100 "$logs/$name.log"
        echo "FAILED: $name (all of it in $logs/$name.log)"
        return 1
    fi
}

# The value of an attribute of the test suite in a JUnit file.
junit() {
    sed -n "s/.*[[:space:]]$2=\"\([0-9]*\)\".*/\1/p" "$1" | head -n 1
}

# suite PRESET [CTEST OPTION...]: a run of ctest, whose tests are counted.
suite() {
    local preset=$1 report=$PWD/$logs/ctest-$1.xml log=$logs/ctest-$1.log
    shift
    rm -f "$report"
    if ! ctest --test-dir "build/$preset" --no-tests=error --output-on-failure -j "$jobs" \
        --output-junit "$report" "$@" > "$log" 2>&1; then
        grep -vE '^ *[0-9]+/[0-9]+ Test .* Passed|^ *Start +[0-9]+:' "$log"
        echo "FAILED: tests of $preset (all of it in $log)"
    elif grep -q 'did not run' "$log"; then
        sed -n '/did not run/,/^$/p' "$log"
    fi
    if [ ! -f "$report" ]; then
        failed=$((failed + 1))
        return
    fi
    local all bad not_run
    all=$(junit "$report" tests)
    bad=$(junit "$report" failures)
    not_run=$(junit "$report" skipped)
    failed=$((failed + bad))
    skipped=$((skipped + not_run))
    passed=$((passed + all - bad - not_run))
}

# build PRESET [CMAKE OPTION...]
build() {
    local preset=$1
    shift
    step "configure-$preset" cmake --preset "$preset" "$@" &&
        step "build-$preset" cmake --build --preset "$preset" -- --quiet
}

stage_dev() { # gcc, address and undefined-behaviour sanitizers: everything
    build dev && suite dev
}

stage_release() { # as users get it: the program, the package, the symbols
    build release -DSHOAL_TESTS=ON && suite release -L 'cli|report|property|install|docs|examples|symbols'
}

stage_clang() { # the other compiler's warnings are errors
    build clang
}

stage_tsan() { # gcc, thread sanitizer
    build tsan && suite tsan -L threads
}

[ $# -gt 0 ] || set -- dev release clang tsan
for stage in "$@"; do
    start=$SECONDS
    before=$((passed + failed + skipped))
    stage_"$stage"
    echo "$stage: $((passed + failed + skipped - before)) tests in $((SECONDS - start)) s"
done

line="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || line="$line, $skipped skipped"
echo "$line"
[ "$failed" -eq 0 ]
