#!/bin/sh
# Build the wheel of the Python package: one file in build/python/. Silent unless that fails.
set -eu
cd "$(dirname "$0")/.."
tools/python_env.sh python-build build
log=build/python.log
rm -rf build/python
if ! build/python-build/bin/pip wheel . --no-deps --no-build-isolation --disable-pip-version-check \
    --wheel-dir build/python > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
