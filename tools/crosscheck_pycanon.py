#!/usr/bin/env python3
"""Hold the figures of `shoal verify` against those of pycanon and print the tables of docs/crosscheck.md.

    python3 -m venv /tmp/pycanon && /tmp/pycanon/bin/pip install pycanon==1.3.6
    /tmp/pycanon/bin/python tools/crosscheck_pycanon.py [--write]

Makes releases of the Adult data (looked for in $SHOAL_DATA or ../shared/data) with build/release/shoal,
takes some records as they are, and asks both programs about each file. Where the definitions are the
same, the figures must be equal; where they differ, a rule tells what pycanon's figure must be, given
Shoal's. Exits 1 when a figure is neither. --write puts the tables into the document.
"""
import argparse
import collections
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import pandas
from pycanon import anonymity
from pycanon.anonymity import _l_diversity

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "shoal"
DATA = pathlib.Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data")) / "adult"
PAGE = ROOT / "docs" / "crosscheck.md"
TOLERANCE = 1e-9

FEW = ("age", "sex", "race")
SOME = ("age", "education", "marital-status", "race", "sex")
MANY = ("age", "workclass", "education", "marital-status", "race", "sex", "native-country")

# name, records (None: all), complete records only, quasi-identifier, sensitive column, flags
# (None: the records as they are). pycanon takes about 20 ms per class: there are a few hundred at most.
FILES = (
    ("topdown k=10", 3000, True, SOME, "occupation", "-k 10"),
    ("topdown k=5 distinct ℓ=3", 1500, True, MANY, "occupation", "-k 5 --l distinct:3"),
    ("topdown k=2 entropy ℓ=2.5", 800, True, MANY, "occupation", "-k 2 --l entropy:2.5"),
    ("topdown k=10 t=0.2", None, True, SOME, "occupation", "-k 10 --t equal:0.2"),
    ("topdown k=5, hours", 1000, True, SOME, "hours-per-week", "-k 5 --type hours-per-week=integer"),
    ("mondrian k=50", 10000, True, MANY, "occupation", "-k 50 --method mondrian"),
    ("mondrian k=10 β=2", 10000, True, SOME, "occupation", "-k 10 --beta 2 --method mondrian"),
    ("mondrian k=20 ordered t=0.1, education", None, True, ("age", "workclass", "race", "sex"),
     "education-num", "-k 20 --t ordered:0.1 --type education-num=integer --method mondrian"),
    ("mondrian k=2 δ=1.5, salary", 10000, True, FEW, "class", "-k 2 --delta 1.5 --method mondrian"),
    ("specialize k=2 α=0.5", 1000, True, SOME, "occupation", "-k 2 --alpha 0.5 --method specialize"),
    ("specialize k=10 α=0.3", 5000, True, MANY, "occupation", "-k 10 --alpha 0.3 --method specialize"),
    ("specialize k=10 recursive (2,3)", 3000, True, SOME, "occupation",
     "-k 10 --l recursive:2:3 --method specialize"),
    ("specialize k=25 enhanced β=1, race", None, True, ("age", "sex", "education"), "race",
     "-k 25 --beta enhanced:1 --method specialize"),
    ("best k=10 δ=2, relationship", 3000, True, ("age", "education", "sex"), "relationship",
     "-k 10 --delta 2 --method best:effort=fast"),
    ("best k=50 ℓ=4", 5000, True, SOME, "occupation", "-k 50 --l 4 --method best:effort=fast"),
    ("raw, complete", 2000, True, FEW, "occupation", None),
    ("raw, with missing occupations", 3000, False, ("education", "sex"), "occupation", None),
    ("raw, one column", None, True, ("sex",), "occupation", None),
)


class Descending:
    """numpy as pycanon sees it, but sorting counts from the largest to the smallest."""

    def __getattr__(self, name):
        return getattr(numpy, name)

    def sort(self, counts):
        return numpy.sort(counts)[::-1]


def shoal(*arguments):
    """What the program prints as JSON; 4 is its code for a requirement that does not hold."""
    done = subprocess.run([PROGRAM, *map(str, arguments), "--json", "--quiet", "--threads", "1"],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(f"shoal {' '.join(map(str, arguments))}\n{done.stderr}")
    return json.loads(done.stdout)


def take_records(count, complete, target):
    """The first records of Adult, all or those without a missing value, into a file."""
    with open(DATA / "adult.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    kept = [row for row in rows[1:] if row and not (complete and "?" in row)]
    with open(target, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([rows[0], *kept[:count]])


def make_file(folder, count, complete, quasi, sensitive, flags):
    """A release, or the raw records themselves; its path."""
    source, target = folder / "input.csv", folder / "release.csv"
    take_records(count, complete, source)
    if flags is None:
        return source
    hierarchies = []
    for column in quasi:
        path = DATA / "hierarchies" / f"{column}.csv"
        if path.exists():
            hierarchies += ["--hierarchy", f"{column}={path}"]
    shoal("anonymize", source, "-o", target, "--quasi", ",".join(quasi), "--sensitive", sensitive,
          *hierarchies, *flags.split())
    return target


def ask_shoal(path, quasi, sensitive, numeric):
    """The worst figure of each requirement; None where no parameter would do."""
    about = ["verify", path, "--quasi", ",".join(quasi), "--sensitive", sensitive]
    asked = ["-k", "2", "--alpha", "0.5", "--l", "distinct:2", "--l", "entropy:2",
             "--t", "ordered:0.5" if numeric else "equal:0.5", "--delta", "1", "--beta", "1"]
    kind = ["--type", f"{sensitive}=integer"] if numeric else []
    report = shoal(*about, *kind, *asked)
    figures = {item["key"] + ":" + item.get("kind", ""): item["worst_figure"]
               for item in report["requirements"]}
    distinct, beta = int(figures["l:distinct"]), figures["beta:basic"]
    more = shoal(*about, *kind, "--l", f"recursive:1:{distinct}",
                 "--beta", f"enhanced:{beta!r}")["requirements"]
    return {"classes": report["classes"], "k": figures["k:"], "α": figures["alpha:general"],
            "ℓ distinct": distinct, "t": figures["t:ordered" if numeric else "t:equal"],
            "β basic": beta, "ℓ entropy": figures["l:entropy"], "δ": figures["delta:"],
            "r": more[0]["worst_figure"], "β enhanced": beta if more[1]["holds"] else None}


def ask_pycanon(table, quasi, sensitive):
    quasi, sensitive = list(quasi), [sensitive]
    alpha, k = anonymity.alpha_k_anonymity(table, quasi, sensitive)
    c, distinct = anonymity.recursive_c_l_diversity(table, quasi, sensitive)
    _l_diversity.np = Descending()
    c_descending, _ = anonymity.recursive_c_l_diversity(table, quasi, sensitive)
    _l_diversity.np = numpy
    return {"k": k, "α": alpha, "ℓ distinct": distinct,
            "t": anonymity.t_closeness(table, quasi, sensitive),
            "β basic": anonymity.basic_beta_likeness(table, quasi, sensitive),
            "ℓ entropy": anonymity.entropy_l_diversity(table, quasi, sensitive),
            "δ": anonymity.delta_disclosure(table, quasi, sensitive),
            "c": c, "c descending": c_descending,
            "β enhanced": anonymity.enhanced_beta_likeness(table, quasi, sensitive)}


def is_near(a, b):
    return math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def lacks_value(table, quasi, sensitive):
    """Whether some class lacks a value that the table has."""
    seen = collections.defaultdict(set)
    for key, value in zip(zip(*(table[column] for column in quasi)), table[sensitive]):
        seen[key].add(value)
    return any(len(values) < table[sensitive].nunique() for values in seen.values())


def show(figure):
    if figure is None:
        return "none"
    if isinstance(figure, float) and math.isnan(figure):
        return "nan"
    return f"{figure:.6g}"


def compare_same(ours, theirs):
    """Cells of the figures that both define alike, and whether all are equal."""
    cells, agree = [], True
    for name in ("k", "α", "ℓ distinct", "t", "β basic"):
        same = is_near(ours[name], theirs[name])
        cells.append(f"{show(ours[name])} {'=' if same else '≠'} {show(theirs[name])}")
        agree = agree and same
    return cells, agree


def compare_other(ours, theirs, table, quasi, sensitive):
    """Cells of the figures that are defined otherwise, and whether each is explained."""
    entropy = math.floor(ours["ℓ entropy"] + TOLERANCE)
    near_whole = is_near(ours["ℓ entropy"], round(ours["ℓ entropy"]))
    explained = [theirs["ℓ entropy"] == entropy or near_whole and theirs["ℓ entropy"] == entropy - 1]
    if ours["ℓ distinct"] > 1:
        c = math.floor(ours["r"] + TOLERANCE) + 1
        explained.append(theirs["c descending"] == c)
    else:
        c = math.nan
        explained.append(math.isnan(theirs["c"]))
    if ours["δ"] is None:
        explained.append(lacks_value(table, quasi, sensitive))
    else:
        explained.append(is_near(ours["δ"], theirs["δ"]))
    rarest = table[sensitive].value_counts().min() / len(table)
    explained.append(is_near(theirs["β enhanced"], min(ours["β basic"], -math.log(rarest))))
    if ours["β enhanced"] is not None:
        explained.append(is_near(ours["β enhanced"], theirs["β enhanced"]))
    cells = [f"{show(ours['ℓ entropy'])} / {show(theirs['ℓ entropy'])}",
             f"{show(c)} / {show(theirs['c'])} / {show(theirs['c descending'])}",
             f"{show(ours['δ'])} / {show(theirs['δ'])}",
             f"{show(ours['β enhanced'])} / {show(theirs['β enhanced'])}"]
    return cells, all(explained)


def check_file(number, name, count, complete, quasi, sensitive, flags):
    """The two rows about one file, and whether everything agrees or is explained."""
    with tempfile.TemporaryDirectory() as folder:
        path = make_file(pathlib.Path(folder), count, complete, quasi, sensitive, flags)
        table = pandas.read_csv(path, keep_default_na=False)
        numeric = pandas.api.types.is_numeric_dtype(table[sensitive])
        ours = ask_shoal(path, quasi, sensitive, numeric)
    theirs = ask_pycanon(table, quasi, sensitive)
    same, agree = compare_same(ours, theirs)
    other, explained = compare_other(ours, theirs, table, quasi, sensitive)
    head = [str(number), name, str(len(table)), str(ours["classes"])]
    print(name, "agrees" if agree and explained else "DIFFERS", file=sys.stderr, flush=True)
    return ([*head, *same, "yes" if agree else "**no**"],
            [str(number), name, *other, "yes" if explained else "**no**"], agree and explained)


def format_table(head, rows, texts):
    rule = ["---" if i in texts else "---:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def write_page(tables):
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        pattern = rf"(<!-- table {name} -->\n).*?(<!-- end {name} -->)"
        text, count = re.subn(pattern, lambda found: f"{found[1]}{table}\n{found[2]}", text, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE}: no place for the table {name}")
    PAGE.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Compare shoal verify with pycanon.")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/crosscheck.md")
    options = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"skipped: {DATA} is not there")
    results = [check_file(number, *file) for number, file in enumerate(FILES, 1)]
    tables = {
        "same": format_table(["", "file", "records", "classes", "k", "α", "ℓ distinct", "t", "β basic",
                              "equal"], [result[0] for result in results], (1,)),
        "other": format_table(["", "file", "ℓ entropy", "c", "δ", "β enhanced", "explained"],
                              [result[1] for result in results], (1,)),
    }
    print("\n\n".join(tables.values()))
    if options.write:
        write_page(tables)
    sys.exit(0 if all(result[2] for result in results) else 1)


if __name__ == "__main__":
    main()
