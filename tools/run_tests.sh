#!/usr/bin/env bash
# Run tests, quiet unless something fails. The last line is "N passed, N failed", with ", N skipped"
# where tests were skipped.
#
#     run_tests.sh                  what `make test` runs: the stage dev
#     run_tests.sh deep             what `make test-deep` runs: all other stages
#     run_tests.sh STAGE...         of: dev python allocations release clang tsan workbench python_deep spark
#
# dev           gcc with the address and undefined-behaviour sanitizers: everything that is not long, so unit tests,
#               golden cases, documents, reports and some random tables
# python        the wheel, in a virtual environment with pandas, polars, pyarrow and DuckDB
# allocations   the same build: each single allocation of the unit tests fails (a sample of those beyond 3,000 of one run)
# release       as users get it: what dev left out, so more random tables and a browser; the package, its symbols
# clang         the other compiler: its warnings are errors; unit tests, long
# tsan          thread sanitizer: what has threads
# workbench     the page of `shoal serve`: types, unit tests, and the whole way in Chromium, on the release build with the page
# python_deep   the wheel again: address sanitizer, other packages, long tests
# spark         the wheel on a cluster of two executors; needs Java (tools/setup.sh spark)
#
# No case is run in two stages, but those of unit tests: with either compiler and, where there are threads, with tsan.
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

# suite STAGE PRESET [CTEST OPTION...]: a run of ctest, whose tests are counted.
suite() {
    local stage=$1 preset=$2 report=$PWD/$logs/ctest-$1.xml log=$logs/ctest-$1.log
    shift 2
    rm -f "$report"
    if ! ctest --test-dir "build/$preset" --no-tests=error --output-on-failure -j "$jobs" \
        --output-junit "$report" "$@" > "$log" 2>&1; then
        grep -vE '^ *[0-9]+/[0-9]+ Test .* Passed|^ *Start +[0-9]+:' "$log"
        echo "FAILED: tests of $stage (all of it in $log)"
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

# pytests STAGE ENVIRONMENT [PYTEST OPTION...]: a run of pytest in a virtual environment, whose tests are counted.
pytests() {
    local stage=$1 env=$2 report=$PWD/$logs/pytest-$1.xml log=$logs/pytest-$1.log
    shift 2
    rm -f "$report"
    if ! "build/$env/bin/python" -m pytest -q -rs -c python/tests/pytest.ini --junitxml="$report" "$@" > "$log" 2>&1; then
        tail -n 200 "$log"
        echo "FAILED: tests of $stage (all of it in $log)"
    else
        sed -n '/^SKIPPED/p' "$log"
    fi
    if [ ! -f "$report" ]; then
        failed=$((failed + 1))
        return
    fi
    local all bad broken not_run
    all=$(grep -o '<testsuite [^>]*' "$report" | sed 's/.* tests="\([0-9]*\)".*/\1/')
    bad=$(grep -o '<testsuite [^>]*' "$report" | sed 's/.* failures="\([0-9]*\)".*/\1/')
    broken=$(grep -o '<testsuite [^>]*' "$report" | sed 's/.* errors="\([0-9]*\)".*/\1/')
    not_run=$(grep -o '<testsuite [^>]*' "$report" | sed 's/.* skipped="\([0-9]*\)".*/\1/')
    failed=$((failed + bad + broken))
    skipped=$((skipped + not_run))
    passed=$((passed + all - bad - broken - not_run))
}

# nodetests STAGE COMMAND...: a run of node's test runner, whose tests are counted.
nodetests() {
    local stage=$1 log=$logs/node-$1.log good bad
    shift
    timeout 900 "$@" > "$log" 2>&1 || true
    good=$(sed -n 's/^[#ℹ] pass \([0-9]*\)$/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/^[#ℹ] \(fail\|cancelled\) \([0-9]*\)$/\2/p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    # A run that counts nothing has not run.
    [ "${good:-0}" -gt 0 ] || bad=$((bad + 1))
    if [ "$bad" -gt 0 ]; then
        tail -n 200 "$log"
        echo "FAILED: tests of $stage (all of it in $log)"
    fi
    passed=$((passed + ${good:-0}))
    failed=$((failed + bad))
}

# wheel ENVIRONMENT FILE...: the wheel, installed beside the packages of these requirement files.
wheel() {
    local env=$1
    step "python-$env" tools/python_env.sh "$@" &&
        step "install-$env" "build/$env/bin/pip" install --no-index --no-deps --force-reinstall build/python/*.whl
}

# build PRESET [CMAKE OPTION...]
build() {
    local preset=$1
    shift
    step "configure-$preset" cmake --preset "$preset" "$@" &&
        step "build-$preset" cmake --build --preset "$preset" -- --quiet
}

stage_dev() {
    build dev && suite dev dev -LE deep
}

stage_python() {
    step build-python tools/build_python.sh && wheel python-env test &&
        pytests python python-env -m "not deep and not sanitized" --ignore=python/tests/test_pycanon.py \
        --ignore=python/tests/spark python/tests
}

stage_python_deep() {
    step build-python tools/build_python.sh && wheel python-env test &&
        SHOAL_TEST_DEEP=1 pytests python_deep python-env -m deep --ignore=python/tests/test_pycanon.py \
        --ignore=python/tests/spark python/tests
    wheel python-peers peers && pytests pycanon python-peers -m deep python/tests/test_pycanon.py
    step build-python-asan tools/build_python_asan.sh &&
        LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
            ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$PWD/build/python-asan/package \
            pytests python_asan python-env -m "not deep" python/tests/test_errors.py python/tests/test_calls.py \
            python/tests/test_traps.py python/tests/test_sanitized.py
}

# Two executors fill the machine, so nothing else runs beside them.
stage_spark() {
    step setup-spark tools/setup.sh spark && step build-python tools/build_python.sh && wheel spark-env spark &&
        pytests spark spark-env python/tests/spark
}

# Where Node or a browser cannot be had the stage is skipped, visibly.
stage_workbench() {
    if ! tools/setup.sh page > "$logs/setup-page.log" 2>&1 || ! tools/setup.sh web > "$logs/setup-web.log" 2>&1; then
        echo "skipped: workbench, no Node or no Chromium (see $logs/setup-web.log)"
        skipped=$((skipped + 1))
        return
    fi
    step build-page tools/build_page.sh && step types-web npm --prefix web run check && nodetests web-unit node web/test.mjs &&
        build release && nodetests web-e2e node web/e2e/run.mjs build/release/shoal
}

stage_allocations() {
    build dev &&
        SHOAL_TEST_DEEP=1 SHOAL_TEST_ONLY='*allocation*' suite allocations dev -L allocations
}

# What is tested as users get it.
released='deep|long|install|symbols'

# The names of tests: names PRESET [CTEST OPTION...]
names() {
    local preset=$1
    shift
    ctest --test-dir "build/$preset" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p' | sort
}

# No test is left out of all stages.
check_stages() {
    [ -f build/dev/CTestTestfile.cmake ] || cmake --preset dev > /dev/null || return 1
    local left
    left=$(comm -23 <(names release) <({ names dev -LE deep; names release -L "$released"; } | sort -u))
    [ -z "$left" ] || { echo "in no stage: $left"; return 1; }
    [ -n "$(names release)" ]
}

stage_release() {
    build release -DSHOAL_TESTS=ON && step stages check_stages &&
        SHOAL_TEST_DEEP=1 suite release release -L "$released"
}

stage_clang() {
    build clang && SHOAL_TEST_DEEP=1 suite clang clang -L 'unit|fuzz'
}

stage_tsan() {
    build tsan && suite tsan tsan -L threads
}

[ $# -gt 0 ] || set -- dev
[ "$*" != deep ] || set -- python allocations release clang tsan workbench python_deep spark
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
