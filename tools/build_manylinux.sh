#!/bin/sh
# The wheel for other Linux systems, in build/manylinux: its tag says from which C library on it runs; and whether it keeps
# to the limited API that its name promises. Needs build/python.
set -eu
cd "$(dirname "$0")/.."
tools/python_env.sh python-audit audit
rm -rf build/manylinux
PATH="$PWD/build/python-audit/bin:$PATH"
export PATH
auditwheel repair --wheel-dir build/manylinux build/python/*.whl
abi3audit --strict --summary build/manylinux/*.whl
