#!/bin/sh
# Build the reference of the Python package from its docstrings: build/docs/shoal.html. Silent unless that fails.
set -eu
cd "$(dirname "$0")/.."
tools/python_env.sh python-docs docs
log=build/python-docs.log
if ! { build/python-docs/bin/pip install --quiet --no-index --no-deps --force-reinstall build/python/*.whl &&
    build/python-docs/bin/pdoc shoal -o build/docs --no-show-source; } > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
