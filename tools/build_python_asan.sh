#!/bin/sh
# The Python package with an extension under the address and undefined-behaviour sanitizers, in
# build/python-asan/package; for PYTHONPATH, with libasan preloaded.
set -eu
cd "$(dirname "$0")/.."
cmake --preset dev -B build/python-asan -DSHOAL_TESTS=OFF -DSHOAL_PYTHON=ON \
    -DPython_EXECUTABLE="$PWD/build/python-env/bin/python"
cmake --build build/python-asan --target shoal_python -- --quiet
rm -rf build/python-asan/package
mkdir -p build/python-asan/package
cp -r python/shoal build/python-asan/package/
cp build/python-asan/python/_core.abi3.so build/python-asan/package/shoal/
