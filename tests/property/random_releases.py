#!/usr/bin/env python3
"""Random small tables through the program, every release checked by check_release.py.

    random_releases.py --program SHOAL [--seeds N] [--first S] [--keep]

Each seed is one table of odd values, one configuration and a few runs of the program. A seed that
fails prints what was run; --keep leaves its folder behind.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import check_release as check
import seeds
from check_boxes import Boxes

TEXTS = ["a", "b", "A", " a", "a ", "a,b", "a;b", "a|b", "a\tb", 'say "hi"', '"', "two\nlines", "r\r\nn",
         "*", "**", "{a}", "{a|b}", "{", "}", "|", "\\", "\\N", "a\\", "..", "[1..2]", "1..2", "1-2",
         "1, 2", "{a, b}", "é", "e\u0301", "中文", "🐟", "007", "+1", "NaN", "inf", "-", "NA", "null", ">=3",
         "<3", "[", "]", "'", "#", "=1+1", "$", "%s%n", "a" * 300, "0x10", "1_000", "٣", "\u00a0", "2020s"]
METHODS = ["topdown", "topdown:rounds=1", "bottomup", "mondrian", "mondrian:mode=relaxed",
           "mondrian:mode=strict,cuts=children", "specialize", "best", "best:effort=fast",
           "incognito", "incognito:objective=gcp", "hilbert", "cluster", "cluster:adjust=split"]

PARTITIONS = ["topdown", "curve", "best", "mondrian"]


# --- Tables.


def make_integers(rng):
    low = rng.choice([0, -5, -1000000, 2**53 - 40])
    high = low + rng.choice([0, 3, 30])
    return [str(rng.randint(low, high)) for _ in range(12)], "number"


def make_reals(rng):
    texts = ["0.5", "-0.25", "1.5", "1.50", "7", "7.0", "1e3", "-2E-2", "3.25", "0.1", "0.30", "100.125",
             "1e-7", "-0", "0", "5.", ".5", "1e15", "+2.5", "1e300"]
    return rng.sample(texts, rng.randint(2, 12)) + ["0.75"], "number"


def make_dates(rng):
    year = rng.choice([1, 1899, 1999, 2020, 9999])
    return ["%04d-%02d-%02d" % (min(9999, year + rng.randint(0, 2)), rng.randint(1, 12), rng.randint(1, 28))
            for _ in range(10)], "date"


def make_codes(rng):
    return ["%05d" % rng.randint(0, 130) for _ in range(12)] + ["0070", "00é7"], "code"


def make_texts(rng):
    return rng.sample(TEXTS, rng.randint(1, 14)), "text"


def make_column(rng, count, missing):
    values, kind = rng.choice([make_integers, make_reals, make_dates, make_codes, make_texts, make_texts])(rng)
    share = rng.choice([0, 0.1, 0.5]) if missing else 0
    cells = [rng.choice(values) for _ in range(count)]
    return [rng.choice(check.TOKENS) if rng.random() < share else cell for cell in cells], kind


def quote(text, delimiter, rng):
    needs = any(c in text for c in delimiter + '"\r\n')
    if needs or rng.random() < 0.1:
        return '"' + text.replace('"', '""') + '"'
    return text


def write_table(path, header, records, delimiter, rng):
    end = rng.choice(["\n", "\n", "\r\n"])
    lines = [delimiter.join(quote(x, delimiter, rng) for x in r) for r in [header] + records]
    text = rng.choice(["", "", "\ufeff"]) + end.join(line or '""' for line in lines)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text + rng.choice([end, end, ""]))


# --- Hierarchies.


def find_masks(text, length):
    """The prefix masks of a value, as docs/hierarchies.md tells."""
    lengths = range(min(len(text), length) - 1, 0, -1)
    return [text] + [text[:n] + "*" * (length - n) for n in lengths] + ["*"]


def find_periods(text):
    year, month = int(text[:4]), int(text[5:7])
    return [text, text[:7], "%s-Q%d" % (text[:4], (month + 2) // 3), text[:4], "%04ds" % (year // 10 * 10), "*"]


def find_widths(text, widths):
    number = int(text)
    return [text] + ["[%d..%d]" % (number // w * w, number // w * w + w - 1) for w in widths] + ["*"]


def make_tree(rng, values):
    """A ragged tree over values, and over some that do not occur."""
    groups = [["g%d" % i] + rng.choice([[], ["h%d" % (i % 2)]]) for i in range(rng.randint(1, 4))]
    values = list(values) + ["absent %d" % i for i in range(rng.randint(0, 3))]
    return [[v] + (rng.choice(groups) if rng.random() < 0.8 else []) + ["all"] for v in values]


def choose_hierarchy(rng, kind, values, path):
    """How to ask for a hierarchy, and the lines it must have; None for none."""
    if rng.random() < 0.3 or not values:
        return None
    if kind == "code" and rng.random() < 0.6:
        length = max(map(len, values))
        return "prefix:%d" % length, [find_masks(v, length) for v in values]
    if kind == "date" and rng.random() < 0.6:
        return "dates", [find_periods(v) for v in values]
    whole = all(check.INTEGER.match(v) for v in values)
    if kind == "number" and whole and max(map(len, values)) < 9 and rng.random() < 0.6:
        return "widths:2,4,12", [find_widths(v, (2, 4, 12)) for v in values]
    if rng.random() < 0.3:
        return "flat", [[v, "*"] for v in values]
    if kind == "number":  # one line for 7 and 7.0
        values = list({float(v): v for v in values}.values())
    lines = make_tree(rng, values)
    delimiter = rng.choice(";,")
    with open(path, "w", encoding="utf-8", newline="") as file:
        for line in lines:
            file.write(delimiter.join(quote(x, ";," + delimiter, rng) for x in line) + "\n")
    return path, lines


# --- One seed.


class Case:
    def __init__(self, program, seed):
        self.program = program
        self.rng = random.Random(seed)
        self.commands = []

    def run(self, *args):
        command = [self.program] + [str(a) for a in args]
        self.commands.append(command)
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
        if done.returncode != 0:
            raise check.Wrong("exit code %d: %s" % (done.returncode, done.stderr.decode()))
        return done.stdout

    def make(self):
        """The table, and the options that all commands on it share."""
        rng = self.rng
        count = rng.choice([1, 2, 5, 12, 40, 90])
        self.k = rng.randint(1, min(10, count))
        self.missing = rng.choice(["error", "error", "drop", "keep"])
        self.delimiter = rng.choice(",;|\t")
        names = rng.sample(["age", "näme", "a b", "x.y", "zip", "it's", "col:1"], rng.randint(1, 4))
        made = [make_column(rng, count, self.missing != "error") for _ in names]
        header = ["id"] + names + ["note"]
        notes = [rng.choice(TEXTS + ["", "?"]) for _ in range(count)]
        records = [list(r) for r in zip(map(str, range(count)), *(m[0] for m in made), notes)]
        write_table("table.csv", header, records, self.delimiter, rng)
        self.names = names
        self.kinds = dict(zip(names, (m[1] for m in made)))
        self.original = check.read_table("table.csv", self.delimiter)
        self.left = [r for r in records if self.missing != "drop" or not set(r[1:-1]) & set(check.TOKENS)]

    def choose(self):
        rng = self.rng
        self.hierarchies, self.weights = {}, {}
        self.options = ["--quasi", ",".join(self.names), "--missing", self.missing]
        tab = "tab" if self.delimiter == "\t" else self.delimiter
        self.options += ["--delimiter", tab]
        for i, name in enumerate(self.names):
            values = sorted({r[i + 1] for r in self.left} - set(check.TOKENS))
            chosen = choose_hierarchy(rng, self.kinds[name], values, "h%d.csv" % i)
            if chosen:
                self.options += ["--hierarchy", "%s=%s" % (name, chosen[0])]
                self.hierarchies[name] = chosen[1]
            if rng.random() < 0.3:
                self.weights[name] = rng.choice([0.0, 0.5, 2.0, 3.25] if i else [0.5, 2.0])
                self.options += ["--weight", "%s=%g" % (name, self.weights[name])]
        self.numeric = rng.choice(["range", "range", "minmax", "mean", "median"])
        self.output = rng.choice(",;|\t")
        self.form = ["--numeric", self.numeric, "--categorical", rng.choice(["label", "set"]),
                     "--identifier", "id", "--method", rng.choice(METHODS), "--seed", rng.randint(0, 99),
                     "--output-delimiter", "tab" if self.output == "\t" else self.output]
        self.rest = rng.choice(["drop", "release"])
        self.form += ["--rest", self.rest]

    def check(self):
        rng = self.rng
        self.make()
        if len(self.left) < max(1, self.k):
            return False
        self.choose()
        anonymize = ["anonymize", "table.csv", "-k", self.k, "--quiet", *self.options, *self.form]
        told = json.loads(self.run(*anonymize, "-o", "kept.csv", "--keep-order", "--json"))
        columns = check.make_columns(self.original, self.names, self.hierarchies, self.weights, self.missing)
        kept = check.read_table("kept.csv", self.output)
        check.require("id" not in kept[0], "an identifier was released")
        check.require(("note" in kept[0]) == (self.rest == "release"), "a column without a role")
        check.require(told["released_as_is" if "note" in kept[0] else "left_out"] == ["note"], "what became of it")
        release = check.Release(self.original, kept, columns, self.k, self.missing, self.numeric)
        release.check()
        if self.numeric in ("range", "minmax"):
            release.compare(told)
            options = [*self.options]
            if self.output != self.delimiter:
                del options[options.index("--delimiter"):options.index("--delimiter") + 2]
            found = self.run("measure", "table.csv", "kept.csv", "-k", self.k, "--json", *options)
            release.compare(json.loads(found))
        self.run(*anonymize, "-o", "sorted.csv", "--threads", rng.choice([1, 3]))
        other = check.read_table("sorted.csv", self.output)
        check.require(sorted(other[1]) == sorted(kept[1]), "sorted records are others")
        self.run("verify", "sorted.csv", "-k", self.k, "--quasi", ",".join(self.names), "--quiet")
        if self.numeric in ("range", "minmax"):
            found = self.run("measure", "table.csv", "sorted.csv", "-k", self.k, "--json", *options)
            release.compare(json.loads(found))
        self.check_boxes(columns)
        return True

    def check_boxes(self, columns):
        """The same table with a box per record."""
        form = [*self.form]
        form[form.index("--method") + 1] = "nonhomogeneous:partition=" + self.rng.choice(PARTITIONS)
        if self.numeric in ("mean", "median"):
            self.numeric = form[form.index("--numeric") + 1] = "range"
        self.run("anonymize", "table.csv", "-o", "boxes.csv", "-k", self.k, "--quiet", *self.options, *form)
        boxes = check.read_table("boxes.csv", self.output)
        Boxes(self.original, boxes, columns, self.k, self.missing, self.numeric).check()
        self.run("verify", "boxes.csv", "--original", "table.csv", "-k", self.k, "--quiet", *self.verified())

    def verified(self):
        """The options that verify takes as well."""
        pairs = zip(self.options[::2], self.options[1::2])
        return [x for pair in pairs if pair[0] != "--weight" for x in pair]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    program = os.path.abspath(args.program)
    failed, done = 0, 0
    for seed in seeds.span(args.first, args.seeds):
        folder = tempfile.mkdtemp(prefix="shoal-release-")
        os.chdir(folder)
        case = Case(program, seed)
        try:
            done += case.check()
        except (check.Wrong, ValueError, KeyError, IndexError) as wrong:
            failed += 1
            print("seed %d: %s: %s" % (seed, type(wrong).__name__, wrong))
            for command in case.commands:
                print("   ", " ".join(map(repr, command)))
        os.chdir("/")
        if not args.keep:
            shutil.rmtree(folder)
        elif failed:
            print("   ", folder)
    print("%d tables checked, %d failed" % (done, failed))
    sys.exit(1 if failed or not done else 0)


if __name__ == "__main__":
    main()
