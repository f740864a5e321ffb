#!/bin/sh
# Install a build into an empty folder, then build and run programs in C and C++ against it:
# against the shared and the static library, by pkg-config and by find_package. The tree is
# moved in between: it must not know its place.
#
#     run.sh BUILD_FOLDER C_COMPILER CXX_COMPILER
set -eu
build=$1
compiler=$2
cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$*" >&2
    exit 1
}

# expect WHAT WANTED GOT
expect() {
    [ "$2" = "$3" ] || fail "$1: expected '$2', got '$3'"
}

DESTDIR=$work/stage cmake --install "$build" --prefix /opt/shoal > install.log
mv stage/opt/shoal prefix
version=$(prefix/bin/shoal --version | sed 's/^[^0-9]*//')
major=${version%%.*}
doc=share/doc/shoal
for file in $doc/README.md $doc/docs/tutorial.md $doc/docs/methods/README.md $doc/examples/patients.yaml include/shoal/shoal.h share/man/man1/shoal.1 share/bash-completion/completions/shoal; do
    [ -f "prefix/$file" ] || fail "$file is not installed"
done
[ ! -e "prefix/$doc/docs/shoal.1" ] || fail "the manual page is installed twice"
# Links of a page lead to pages that are installed with it.
for page in README docs/README docs/tutorial; do
    grep -o '](\([a-z][A-Za-z_/.]*\.md\)' "prefix/$doc/$page.md" | cut -c 3- | sort -u | while read -r link; do
        [ -f "prefix/$doc/$(dirname $page)/$link" ] || fail "$page.md leads to $link, which is not installed"
    done
done
shared=$(find "$work/prefix" -name "libshoal.so.$version")
[ -n "$shared" ] || fail "libshoal.so.$version is not installed"
lib=$(dirname "$shared")
[ -f "$lib/libshoal.a" ] || fail "libshoal.a is not installed"
export PKG_CONFIG_PATH="$lib/pkgconfig"

needs_shared() {
    readelf -d "$1" | grep -q "NEEDED.*\[libshoal\.so\.$major\]"
}

# The program is one file that runs anywhere.
! needs_shared prefix/bin/shoal || fail "the program needs libshoal.so"

# check NAME PROGRAM KIND: it says what it should, with the library it should use.
check() {
    expect "$1" "$version: 3 records" "$("$2")"
    case $3 in
    shared) needs_shared "$2" || fail "$1: $2 does not use libshoal.so.$major" ;;
    static) ! needs_shared "$2" || fail "$1: $2 uses libshoal.so.$major" ;;
    esac
}

for kind in shared static; do
    package=shoal
    [ $kind = shared ] || package=shoal-static
    expect "version of $package" "$version" "$(pkg-config --modversion $package)"
    "$compiler" -std=c17 $(pkg-config --cflags $package) "$here/consumer.c" -o c_$kind \
        $(pkg-config --libs $package) "-Wl,-rpath,$lib"
    check "pkg-config, $kind, C" ./c_$kind $kind
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags $package) \
        "$here/consumer.cpp" -o cxx_$kind $(pkg-config --libs $package) "-Wl,-rpath,$lib"
    check "pkg-config, $kind, C++" ./cxx_$kind $kind

    cmake -S "$here" -B by_cmake_$kind -DCMAKE_PREFIX_PATH="$work/prefix" -DKIND=$kind \
        -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CXX_COMPILER="$cxx" > cmake.log ||
        { cat cmake.log >&2; exit 1; }
    cmake --build by_cmake_$kind >> cmake.log || { cat cmake.log >&2; exit 1; }
    check "find_package, $kind, C" by_cmake_$kind/consumer $kind
    check "find_package, $kind, C++" by_cmake_$kind/consumer_cxx $kind
done

# Without a word about the kind it is the shared one.
cmake -S "$here" -B by_cmake -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_CXX_COMPILER="$cxx" > cmake.log
cmake --build by_cmake >> cmake.log
check "find_package" by_cmake/consumer shared
