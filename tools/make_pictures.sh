#!/bin/sh
# The pictures of README and docs, from invented people: make_pictures.sh PROGRAM [FOLDER]
#
# Draws docs/report.png and docs/frontier.png anew, as the machine's Chromium shows the pages (`make pictures`).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
here=$root/tests/web
program=$(realpath "$1")
folder=$(realpath "${2:-$root/docs}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

skip() {
    echo "make_pictures.sh: $1" >&2
    exit 1
}

. "$here/prepare.sh"
cd "$work"
"$program" generate census --records 5000 -o people.csv
cat > spec.yaml << 'END'
columns:
  age: {role: quasi, grid: 5}
  sex: quasi
  education: quasi
  marital: quasi
  zip: {role: quasi, hierarchy: {prefix: 5}}
  income: {role: sensitive, round: 1000}
privacy: {k: 10, l: "distinct:3"}
report:
  title: Incomes of the town, 2025
  author: Registry of the Example Town
  purpose: A file for teaching and for research on wages
  date: 2026-03-31
seed: 1
END
"$program" anonymize people.csv -o release.csv --spec spec.yaml --quiet --report report.html
"$program" frontier people.csv --spec spec.yaml --axes highest_risk,gcp --sweep k=5,10,20,50,100 --sweep l=2,4 \
    --try mondrian --try topdown --try best:effort=fast --max-risk 0.06 --quiet --plot frontier.html
NODE_PATH="$cache/node_modules" node "$here/pictures.js" "$work" "$folder"
