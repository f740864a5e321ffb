#!/bin/sh
# Install what is missing to build, test (pages in a browser: web; on Spark: spark) or fuzz Shoal, or to build its
# Python package, on a Debian machine.
#
#     setup.sh build|page|python|test|web|spark|fuzz
#
# Asks for what is needed (commands, pkg-config modules), not for packages: where all is
# there, nothing happens, on any system.
set -eu

build_packages="gcc libc6-dev cmake ninja-build pkg-config libyaml-dev libxxhash-dev zlib1g-dev libzstd-dev libmicrohttpd-dev libjansson-dev python3"
python_packages="$build_packages python3-dev python3-venv"
test_packages="$python_packages g++ clang clang-format libcmocka-dev binutils"
page_packages="nodejs npm"
web_packages="chromium nodejs npm"
spark_packages="$python_packages openjdk-17-jre-headless procps"
fuzz_packages="$build_packages clang libclang-rt-14-dev libcmocka-dev"

have() { command -v "$1" > /dev/null 2>&1; }

have_all() {
    for name in "$@"; do have "$name" || return 1; done
}

have_build() {
    have_all cc cmake ninja pkg-config python3 && pkg-config --exists yaml-0.1 libxxhash zlib libzstd libmicrohttpd jansson
}

# What makes virtual environments, and the header that extensions include.
have_python() {
    have_build && have python3 && python3 - 2> /dev/null << 'END'
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_path("include"), "Python.h")
sys.exit(not (sys.version_info >= (3, 9) and os.path.exists(header)))
END
}

have_test() {
    have_python && have_all c++ clang clang-format python3 nm && pkg-config --exists cmocka
}

have_page() {
    have_all node npm
}

have_web() {
    have_all node npm && { have chromium || have chromium-browser || have google-chrome; }
}

# Spark 4 needs Java 17; its scripts need ps.
have_spark() {
    have_python && have_all java ps
}

have_fuzz() {
    have_build && have clang && pkg-config --exists cmocka &&
        [ -n "$(find "$(clang -print-resource-dir)/lib" -name 'libclang_rt.fuzzer-*.a' 2> /dev/null)" ]
}

case "${1:-}" in
build) packages=$build_packages ;;
page) packages=$page_packages ;;
python) packages=$python_packages ;;
test) packages=$test_packages ;;
web) # Node may have come from elsewhere, with an npm of its own that Debian's would clash with.
    packages=$web_packages
    if have_all node npm; then packages=chromium; fi
    ;;
spark) packages=$spark_packages ;;
fuzz) packages=$fuzz_packages ;;
*)
    echo "usage: setup.sh build|page|python|test|web|spark|fuzz" >&2
    exit 2
    ;;
esac

have_"$1" && exit 0

if ! have apt-get; then
    echo "Something needed to $1 Shoal is missing. On Debian it comes with: $packages" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! have sudo; then
        echo "Something needed to $1 Shoal is missing. As root, run: apt-get install $packages" >&2
        exit 1
    fi
    as_root=sudo
fi

echo "Installing what is needed to $1: $packages" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_packages() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends $packages
}
# The lists of packages may be missing or too old for a first attempt.
if ! install_packages > "$log" 2>&1 &&
    ! { $as_root apt-get update -qq && install_packages; } > "$log" 2>&1; then
    cat "$log" >&2
    echo "The packages could not be installed." >&2
    exit 1
fi
if ! have_"$1"; then
    echo "The packages are installed, but something needed to $1 Shoal is still missing." >&2
    exit 1
fi
