#!/bin/sh
# Configure and build a preset; silent unless that fails.
#
#     build.sh PRESET [CMAKE OPTION...]
set -eu
cd "$(dirname "$0")/.."
preset=$1
mkdir -p build
log=build/$preset.log
if ! { cmake --preset "$@" && cmake --build --preset "$preset"; } > "$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
