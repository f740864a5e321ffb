#!/bin/sh
# The pages of reports and frontiers in a headless browser: run.sh PROGRAM PYTHON
#
# Playwright comes from npm by the lock file beside this; the browser is the machine's. Where one of them
# cannot be had the test is skipped (exit code 77), visibly.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1
python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
    echo "skipped: $1"
    exit 77
}

. "$here/prepare.sh"
"$python" -B "$here/../report/check_pages.py" --program "$program" --write "$work"
"$python" -B "$here/../report/check_frontier.py" --program "$program" --write "$work"
NODE_PATH="$cache/node_modules" node "$here/check.js" "$work"
