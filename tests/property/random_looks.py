#!/usr/bin/env python3
"""Releases with means and medians: what the report counts is what a reader of the file counts.

    random_looks.py --program SHOAL [--seeds N]

Tables of few values, so that classes with different ranges often have the same mean or median. The classes of the
report, their sizes and C_DM are those of equal texts, and the rows of such a class are in one run, sorted by what
else is released: in two runs a reader could tell which row belongs to which.
"""
import argparse
import collections
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds


def make_table(rng, path):
    with open(path, "w", encoding="utf-8") as f:
        f.write("a,b,d,s,ill\n")
        for _ in range(rng.randint(6, 40)):
            f.write("%d,%.1f,2020-01-%02d,%s,%s\n" % (rng.randint(1, 6), rng.choice([1, 1.5, 2]), rng.randint(1, 5),
                                                      rng.choice("MF"), rng.choice("xyz")))


def check(report, rows, quasi):
    looks = [tuple(row[name] for name in quasi) for row in rows]
    classes = collections.Counter(looks)
    sizes = [b["size"] for b in report["class_sizes"] for _ in range(b["classes"])]
    assert report["classes"] == len(classes), "%d classes instead of %d" % (report["classes"], len(classes))
    assert sorted(sizes) == sorted(classes.values()), "sizes %s" % sizes
    if report["suppression"]["records"] == 0:
        assert report["discernibility"] == sum(n * n for n in classes.values())
    assert sum(i == 0 or look != looks[i - 1] for i, look in enumerate(looks)) == len(classes), "two runs of one class"
    for look in classes:
        others = [row["ill"] for row, at in zip(rows, looks) if at == look]
        assert others == sorted(others), "the order of rows tells classes apart"


def run_seed(program, seed, folder):
    rng = random.Random(seed)
    source, out = os.path.join(folder, "in.csv"), os.path.join(folder, "out.csv")
    make_table(rng, source)
    quasi = rng.choice(["a", "a,s", "d", "a,d", "b,a"])
    command = [program, "anonymize", source, "-o", out, "-k", str(rng.randint(1, 4)), "--quasi", quasi, "--sensitive",
               "ill", "--numeric", rng.choice(["mean", "median"]), "--method",
               rng.choice(["topdown", "mondrian", "best", "cluster"]), "--json"]
    if rng.random() < 0.3:
        command += ["--suppress", "0.2"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        assert result.returncode == 0, result.stderr
        with open(out, newline="", encoding="utf-8") as f:
            check(json.loads(result.stdout), list(csv.DictReader(f)), quasi.split(","))
    except AssertionError as mistake:
        print("seed %d: %s\n%s" % (seed, mistake, " ".join(command)))
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=40)
    arguments = parser.parse_args()
    tables = seeds.span(1, arguments.seeds)
    with tempfile.TemporaryDirectory() as folder:
        failed = sum(run_seed(arguments.program, seed, folder) for seed in tables)
    print("%d tables, %d failed" % (len(tables), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
