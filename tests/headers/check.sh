#!/bin/sh
# A public header compiles alone, and twice, without a warning.
#
#     check.sh HEADER INCLUDE_FOLDER COMPILER [OPTION...]
set -eu
header=$1
folder=$2
shift 2
printf '#include <shoal/%s>\n#include <shoal/%s>\n' "$header" "$header" |
    "$@" -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror -I "$folder" -
