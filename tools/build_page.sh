#!/bin/sh
# Build the page of `shoal serve` into build/page, which the next build of the program takes in. Silent unless that
# fails. The packages are those of the lock file, from npm.
set -eu
cd "$(dirname "$0")/.."
log=build/page.log
mkdir -p build
rm -rf build/page
{
    { [ -d web/node_modules ] && [ web/node_modules/.package-lock.json -nt web/package-lock.json ]; } ||
        npm ci --prefix web --no-audit --no-fund
    node web/build.mjs "$PWD/build/page"
} > "$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
