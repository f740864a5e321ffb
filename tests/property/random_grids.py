#!/usr/bin/env python3
"""Random tables with grids through the program; ends, classes and loss computed again.

    random_grids.py --program SHOAL [--seeds N] [--first S] [--keep]

Shares nothing with the program. Multiples are found in exact arithmetic (fractions, calendar), from the texts of the
input. Of each release: every range ends on multiples, and is the smallest such range around the records of its
class; records that look alike are at least k; the loss is that of what is published; the bound is not above the loss
of any release of the table; a release with an end that was moved off its grid is rejected.
"""
import argparse
import csv
import datetime
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction
from math import floor

sys.dont_write_bytecode = True

import seeds

METHODS = ["best", "best:effort=fast", "topdown", "bottomup", "mondrian", "mondrian:mode=relaxed", "specialize",
           "incognito:objective=gcp", "hilbert", "cluster"]
REQUIREMENTS = [["--l", "2"], ["--l", "distinct:2"], ["--l", "entropy:1.5"], ["--l", "recursive:2:2"], ["--alpha", "0.7"],
                ["--t", "equal:0.3"], ["--t", "0.1"], ["--delta", "1"], ["--beta", "1"], ["--beta", "enhanced:1"]]
EPOCH = datetime.date(1970, 1, 1)


# --- Grids, by definition.


def parse(kind, text):
    """A number as a fraction, a date as days since 1970."""
    return Fraction((datetime.date.fromisoformat(text) - EPOCH).days) if kind == "date" else Fraction(text)


def month_start(month):
    if month < 12:
        return Fraction((datetime.date.min - EPOCH).days)
    if month >= 120000:
        return Fraction((datetime.date.max - EPOCH).days)
    return Fraction((datetime.date(month // 12, month % 12 + 1, 1) - EPOCH).days)


def cell(kind, grid, value):
    """The multiples on both sides of a value."""
    words = grid.split()
    step = Fraction(words[0])
    unit = words[1].rstrip("s") if len(words) > 1 else ""
    if unit in ("month", "year"):
        date = EPOCH + datetime.timedelta(days=int(value))
        size = int(step) * (12 if unit == "year" else 1)
        start = (date.year * 12 + date.month - 1) // size * size
        lower = month_start(start)
        return (lower, value if lower == value else month_start(start + size))
    origin = Fraction(4) if unit == "week" else Fraction(0)
    step = step * 7 if unit == "week" else step
    lower = floor((value - origin) / step) * step + origin
    upper = lower if lower == value else lower + step
    if kind == "date":
        first, last = (Fraction((d - EPOCH).days) for d in (datetime.date.min, datetime.date.max))
        lower, upper = max(lower, first), min(upper, last)
    return lower, upper


# --- Tables.


def make_integer(rng):
    low = rng.choice([0, -50, -7, 10**6, 2**53 - 2000, -2**53 + 2000])
    width = rng.choice([1, 10, 40, 900])
    grid = rng.choice(["1", "2", "5", "10", "7", "25", "1000", "0.5"])
    if abs(low) > 2**50:
        grid = rng.choice(["1", "2", "8", "5"])
    return "number", grid, lambda: str(rng.randint(low, low + width))


def make_real(rng):
    digits = rng.choice([1, 2, 3])
    width = rng.choice([1, 5, 100])
    low = rng.choice([0, -1, -50])
    return ("number", rng.choice(["0.1", "0.05", "0.3", "1", "2.5", "0.25", "40"]),
            lambda: "%.*f" % (digits, rng.uniform(low, low + width)))


def make_date(rng):
    first = rng.choice([datetime.date(1, 1, 1), datetime.date(1940, 1, 1), datetime.date(1969, 11, 1),
                        datetime.date(9990, 1, 1)])
    width = rng.choice([20, 400, 3600])
    return ("date", rng.choice(["1", "30", "2 weeks", "1 week", "1 month", "3 months", "1 year", "10 years", "7 days"]),
            lambda: (first + datetime.timedelta(days=rng.randint(0, width))).isoformat())


class Column:
    def __init__(self, name, rng):
        self.name = name
        self.kind, self.grid, self.draw = rng.choice([make_integer, make_real, make_date])(rng)
        self.weight = rng.choice(["1", "1", "2", "0.5"])


def make_case(rng, folder):
    columns = [Column("q%d" % i, rng) for i in range(rng.randint(1, 3))]
    count = rng.randint(4, 60)
    pool = [[c.draw() for c in columns] for _ in range(max(2, count // rng.choice([1, 1, 3])))]
    records = [rng.choice(pool) if rng.random() < 0.5 else [c.draw() for c in columns] for _ in range(count)]
    missing = rng.random() < 0.15
    if missing:
        records = [[x if rng.random() < 0.8 else "" for x in r] for r in records]
        for i in range(len(columns)):
            records[i % count][i] = columns[i].draw()
    with_sex = rng.random() < 0.4
    path = os.path.join(folder, "in.csv")
    with open(path, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["id"] + [c.name for c in columns] + (["sex"] if with_sex else []) + ["ill"])
        for i, r in enumerate(records):
            out.writerow([i] + r + ([rng.choice("MF")] if with_sex else []) + [rng.choice("abc")])
    return columns, records, missing, with_sex, path


def run(arguments, expected=(0,)):
    result = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if result.returncode not in expected:
        raise AssertionError("exit %d: %s" % (result.returncode, result.stderr))
    return result


def read_rows(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


# --- Checks.


def published(column, row, form):
    """The range that a row shows in a column, "*" or None for missing."""
    if form == "minmax":
        lo, hi = row[column.name + "_min"], row[column.name + "_max"]
        if lo in ("*", "") or lo == "{\\N}":
            return "*" if lo == "*" else None
        return parse(column.kind, lo), parse(column.kind, hi)
    text = row[column.name]
    if text in ("*", "") or text == "{\\N}":
        return "*" if text == "*" else None
    if text.startswith("["):
        lo, hi = text[1:-1].split("..")
        return parse(column.kind, lo), parse(column.kind, hi)
    return parse(column.kind, text), parse(column.kind, text)


def check_classes(columns, records, rows, form, k, by_record, keeps, is_tight):
    """Rows in the order of the input: the range of a class is the smallest on the grid around its records."""
    shown = [tuple(published(c, row, form) for c in columns) for row in rows]
    texts = [tuple(v for name, v in row.items() if name != "ill") for row in rows]
    classes = defaultdict(list)
    for i, text in enumerate(texts):
        classes[text].append(i)
    if not by_record:
        assert min(map(len, classes.values())) >= k, "a class of %d" % min(map(len, classes.values()))
    for members in classes.values():
        for j, column in enumerate(columns):
            check_range(column, [records[i][j] for i in members] if keeps else None, shown[members[0]][j], is_tight)
    return shown


def check_range(column, texts, found, is_tight):
    if found in ("*", None):
        if texts is not None and found is None:
            assert all(t == "" for t in texts), "missing stands for values"
        if texts is not None and found == "*":
            assert "" in texts or not is_tight, "* without missing"
        return
    for end in found:
        lower, upper = cell(column.kind, column.grid, end)
        assert end in (lower, upper), "%s: %s is no multiple of %s" % (column.name, end, column.grid)
    if texts is None:
        return
    assert "" not in texts, "missing in a range"
    cells = [cell(column.kind, column.grid, parse(column.kind, t)) for t in texts]
    expected = min(c[0] for c in cells), max(c[1] for c in cells)
    covers = found[0] <= expected[0] and found[1] >= expected[1]
    assert found == expected or (covers and not is_tight), "%s: %s instead of %s" % (column.name, found, expected)


def find_loss(columns, records, shown, with_sex, rows):
    """The mean penalty, by the definition."""
    total = Fraction(0)
    weights = sum(Fraction(c.weight) for c in columns) + (1 if with_sex else 0)
    for j, column in enumerate(columns):
        values = [parse(column.kind, r[j]) for r in records if r[j] != ""]
        width = max(values) - min(values) if values else Fraction(0)
        for row in shown:
            if row[j] == "*":
                loss = Fraction(1)
            elif row[j] is None or width == 0:
                loss = Fraction(0)
            else:
                loss = min(Fraction(1), (row[j][1] - row[j][0]) / width)
            total += Fraction(column.weight) * loss
    if with_sex:
        total += sum(1 for row in rows if row["sex"] == "*")
    return float(total / weights / len(shown))


def check_moved_end(program, columns, options, out, form, rng, folder):
    """One end off its grid: the release must be rejected."""
    rows = read_rows(out)
    column = rng.choice(columns)
    name = column.name + ("_min" if form == "minmax" else "")
    at = rng.randrange(len(rows))
    found = published(column, rows[at], form)
    if found in ("*", None) or column.kind == "date" or Fraction(column.grid) == 1:
        return 0
    moved = found[0] - Fraction(column.grid) / 2
    digits = str(float(moved))
    if Fraction(digits) != moved or abs(moved) > 2**50:
        return 0
    rows[at][name] = digits if form == "minmax" else "[%s..%s]" % (digits, rows[at][name].strip("[]").split("..")[-1])
    bad = os.path.join(folder, "bad.csv")
    with open(bad, "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    result = run([program, "verify", bad, "-k", "1"] + options, (4,))
    assert "grid" in result.stderr, result.stderr
    return 1


def check_others(program, path, out, loss, k, options, weights, by_record, rng, folder):
    """What other commands make of a release: the same loss; refined, not more; the frontier, with its points."""
    shape = ["--shape", "records"] if by_record else []
    measured = json.loads(run([program, "measure", path, out, "--json"] + shape + options + weights).stdout)
    assert abs(measured["gcp"] - loss) < 1e-9, "measured GCP %r instead of %r" % (measured["gcp"], loss)
    chosen = rng.random()
    if not by_record and chosen < 0.15:
        refined = os.path.join(folder, "refined.csv")
        found = json.loads(run([program, "refine", path, out, "-o", refined, "-k", str(k), "--json"] + options
                               + weights).stdout)
        assert found["gcp"] <= loss + 1e-9, "refined to %r from %r" % (found["gcp"], loss)
        run([program, "verify", refined, "-k", str(k)] + options)
    elif chosen > 0.9 and len(read_rows(path)) >= 2 * k:
        run([program, "frontier", path, "--sweep", "k=%d" % k, "--try", "mondrian", "--axes", "highest_risk,gcp",
             "--json"] + options + weights)


def run_seed(program, seed, folder):
    rng = random.Random(seed)
    columns, records, missing, with_sex, path = make_case(rng, folder)
    k = rng.randint(1, max(1, len(records) // 3))
    form = rng.choice(["range", "range", "minmax"])
    by_record = not missing and rng.random() < 0.15
    method = "nonhomogeneous" if by_record else rng.choice(METHODS)
    memory = not by_record and not missing and "incognito" not in method and rng.random() < 0.15
    names = [c.name for c in columns] + (["sex"] if with_sex else [])
    options = ["--quasi", ",".join(names)]
    for c in columns:
        options += ["--grid", c.name + "=" + c.grid, "--type", c.name + "=" + ("date" if c.kind == "date" else "real")]
    weights = [x for c in columns for x in ("--weight", c.name + "=" + c.weight)]
    if missing:
        options += ["--missing", "keep"]
    out = os.path.join(folder, "out.csv")
    command = [program, "anonymize", path, "-o", out, "-k", str(k), "--method", method, "--numeric", form,
               "--sensitive", "ill", "--identifier", "id", "--json"] + options + weights
    keeps = not by_record and not memory
    if keeps:
        command += ["--keep-order"]
    if memory:
        command += ["--memory", "64M"]
    elif not by_record:
        command += ["--measure", "bound"]
    requirement = rng.choice(REQUIREMENTS) if not by_record and rng.random() < 0.4 else []
    command += requirement
    is_tight = not method.startswith("incognito")  # which publishes the same range for all, or cells
    if not by_record and rng.random() < 0.2:
        command += ["--suppress", "0.2"]
        is_tight = False
    run_with = " ".join(command)
    try:
        result = run(command, (0, 3) if requirement else (0,))
        if result.returncode == 3:
            return 0
        report = json.loads(result.stdout)
        rows = read_rows(out)
        assert len(rows) == len(records)
        shown = check_classes(columns, records, rows, form, k, by_record, keeps, is_tight)
        loss = find_loss(columns, records, shown, with_sex, rows)
        assert abs(report["gcp"] - loss) < 1e-9, "GCP %r instead of %r" % (report["gcp"], loss)
        if "bound" in report:
            assert report["bound"]["gcp"] <= loss + 1e-9, "bound %r above %r" % (report["bound"]["gcp"], loss)
        if not missing:
            sensitive = ["--sensitive", "ill"]
            run([program, "verify", out, "-k", "1" if by_record else str(k)] + sensitive + requirement + options)
            check_others(program, path, out, loss, k, options + sensitive, weights, by_record, rng, folder)
            return check_moved_end(program, columns, options, out, form, rng, folder)
    except (AssertionError, KeyError, ValueError) as mistake:
        raise AssertionError("seed %d: %s\n%s" % (seed, mistake, run_with)) from mistake
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    failed = rejected = 0
    tables = seeds.span(arguments.first, arguments.seeds)
    for seed in tables:
        folder = tempfile.mkdtemp(prefix="shoal-grid-")
        try:
            rejected += run_seed(arguments.program, seed, folder)
        except AssertionError as mistake:
            failed += 1
            print(mistake)
            if arguments.keep:
                print("kept:", folder)
                continue
        shutil.rmtree(folder)
    print("%d tables, %d releases with a moved end rejected, %d failed" % (len(tables), rejected, failed))
    return 1 if failed or rejected == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
