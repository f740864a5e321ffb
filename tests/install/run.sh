#!/bin/sh
# Install a build into an empty folder, then build and run a program against it, once by
# pkg-config and once by find_package. The tree is moved in between: it must not know its place.
#
#     run.sh BUILD_FOLDER C_COMPILER
set -eu
build=$1
compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

expect() {
    if [ "$2" != "$3" ]; then
        echo "$1: expected '$2', got '$3'" >&2
        exit 1
    fi
}

DESTDIR=$work/stage cmake --install "$build" --prefix /opt/shoal > install.log
mv stage/opt/shoal prefix
version=$(prefix/bin/shoal --version | sed 's/^[^0-9]*//')
for file in include/shoal/shoal.h share/man/man1/shoal.1 share/bash-completion/completions/shoal; do
    [ -f "prefix/$file" ] || { echo "$file is not installed" >&2; exit 1; }
done

export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig:$work/prefix/lib64/pkgconfig"
for folder in prefix/lib/*/pkgconfig; do
    PKG_CONFIG_PATH="$PKG_CONFIG_PATH:$work/$folder"
done
"$compiler" -std=c17 $(pkg-config --cflags shoal) "$here/consumer.c" -o by_pkg_config \
    $(pkg-config --libs shoal)
expect "pkg-config" "$version: 3 records" "$(./by_pkg_config)"
expect "pkg-config version" "$version" "$(pkg-config --modversion shoal)"

cmake -S "$here" -B consumer -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_COMPILER="$compiler" > cmake.log
cmake --build consumer >> cmake.log
expect "find_package" "$version: 3 records" "$(consumer/consumer)"
