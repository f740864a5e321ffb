#!/bin/sh
# A virtual environment under build/ with the packages of requirement files; made anew when they change.
#
#     python_env.sh NAME FILE...      build/NAME, with python/requirements/FILE.txt of each
set -eu
cd "$(dirname "$0")/.."
env=build/$1
shift
files=
for name in "$@"; do files="$files python/requirements/$name.txt"; done

# shellcheck disable=SC2086
wanted=$(python3 --version; cat $files)
[ "$wanted" != "$(cat "$env/installed" 2> /dev/null)" ] || exit 0

rm -rf "$env"
mkdir -p build
python3 -m venv "$env"
set --
for file in $files; do set -- "$@" -r "$file"; done
log=$env/pip.log
if ! "$env/bin/pip" install --quiet --disable-pip-version-check "$@" > "$log" 2>&1; then
    cat "$log" >&2
    echo "The packages of$files could not be installed." >&2
    exit 1
fi
printf '%s\n' "$wanted" > "$env/installed"
