#!/bin/sh
# The pages of a report in a headless browser: run.sh PROGRAM PYTHON
#
# Playwright comes from npm by the lock file beside this; the browser is the machine's. Where one of them
# cannot be had the test is skipped (exit code 77), visibly.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=$1
python=$2
cache=${SHOAL_WEB_CACHE:-$here/../../build/web}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
    echo "skipped: $1"
    exit 77
}

command -v node > /dev/null || skip "no node; tools/setup.sh test installs it"
command -v npm > /dev/null || skip "no npm; tools/setup.sh test installs it"
node -e 'process.exit(require(process.argv[1] + "/browser.js").find() ? 0 : 1)' "$here" ||
    skip "no Chromium; tools/setup.sh test installs it"

# Installed once, and again when the lock file changes; two tests at a time wait for each other.
mkdir -p "$cache"
(
    flock 9
    if ! cmp -s "$here/package-lock.json" "$cache/installed"; then
        cp "$here/package.json" "$here/package-lock.json" "$cache"
        (cd "$cache" && npm ci --no-audit --no-fund --silent > npm.log 2>&1) || exit 1
        cp "$here/package-lock.json" "$cache/installed"
    fi
) 9> "$cache/lock" || skip "npm could not install Playwright; see $cache/npm.log"

"$python" -B "$here/../report/check_pages.py" --program "$program" --write "$work"
"$python" -B "$here/../report/check_frontier.py" --program "$program" --write "$work"
NODE_PATH="$cache/node_modules" node "$here/check.js" "$work"
