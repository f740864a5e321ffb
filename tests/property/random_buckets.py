#!/usr/bin/env python3
"""Random small tables through the methods by buckets; every pair of files checked from its bytes.

    random_buckets.py --program SHOAL [--seeds N] [--first S]

What is checked, by code that shares nothing with the program: the records are those of the original, as
they are, in sorted order; each bucket has as many values of each sensitive column as records; these are
the values of the records of the bucket taken together; every bucket meets the requirement by its
counts; verify and measure agree; neither the order of the input nor the number of threads changes a byte
where the classes behind the buckets do not depend on them.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction

sys.dont_write_bytecode = True

import check_release as check
import random_releases as tables
import seeds


def unescape(text):
    """A quasi value as published: odd ones stand in a set of one."""
    if len(text) > 2 and text[0] == "{" and text[-1] == "}":
        inner, out, at = text[1:-1], "", 0
        while at < len(inner):
            at += inner[at] == "\\"
            out += inner[at]
            at += 1
        return out
    return text


class Case:
    def __init__(self, program, seed):
        self.program = program
        self.seed = seed
        self.rng = random.Random(seed)
        self.commands = []

    def run(self, *args, code=0):
        command = [self.program] + [str(a) for a in args]
        self.commands.append(command)
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
        if done.returncode != code:
            raise check.Wrong("exit code %d: %s" % (done.returncode, done.stderr.decode()))
        return done.stdout

    def make(self):
        rng = self.rng
        count = rng.choice([4, 10, 30, 80, 200])
        plain = [t for t in tables.TEXTS if not (t.startswith("{") and t.endswith("}"))]
        self.quasi = rng.sample(["age", "job", "a b", "bucket"], rng.randint(1, 3))
        self.sensitive = rng.sample(["ill", "column", "count", "näme"], rng.randint(1, 2))
        values = {}
        for name in self.quasi:
            values[name] = rng.choice([[str(i) for i in range(30)], rng.sample(plain, 8)])
        for name in self.sensitive:
            values[name] = rng.sample(plain + ["", "?"], rng.randint(3, 9))
        self.header = ["id"] + self.quasi + self.sensitive + ["note"]
        self.records = []
        for i in range(count):
            cells = [rng.choice(values[n]) for n in self.quasi + self.sensitive]
            self.records.append([str(i)] + cells + [rng.choice("xyz")])
        self.k = rng.choice([1, 2, min(5, count)])
        largest = 0
        for name in self.sensitive:
            largest = max(largest, max(Counter(self.read_values(name)).values()))
        self.l = min(rng.choice([Fraction(2), Fraction(3), Fraction(5, 2), Fraction(4)]), Fraction(count, largest))
        tables.write_table("table.csv", self.header, self.records, ",", rng)

    def read_values(self, name):
        """Of the original: all tokens of missing values are one."""
        column = self.header.index(name)
        return [None if r[column] in check.TOKENS else r[column] for r in self.records]

    def find_name(self):
        name, i = "bucket", 2
        while name in self.header:
            name, i = "bucket_%d" % i, i + 1
        return name

    def check_pair(self, stem):
        link = self.find_name()
        header, rows = check.read_table(stem + ".csv", ",")
        check.require(header == [link] + [h for h in self.header if h in self.quasi or h == "note"],
                      "header %r" % header)
        keep = [self.header.index(h) for h in header[1:]]
        published = Counter(tuple(unescape(x) for x in r[1:]) for r in rows)
        check.require(published == Counter(tuple(r[i] for i in keep) for r in self.records), "records changed")
        numbers = [int(r[0]) for r in rows]
        check.require(numbers == sorted(numbers), "buckets are not in order")
        check.require(sorted(set(numbers)) == list(range(1, numbers[-1] + 1)), "numbers with gaps")
        sizes = Counter(numbers)
        head, lines = check.read_table(stem + ".sensitive.csv", ",")
        check.require(head == [link, "column", "value", "count"], "header %r" % head)
        told = {}
        for number, column, value, count in lines:
            value = None if value in check.TOKENS else value
            bucket = told.setdefault((int(number), column), Counter())
            check.require(value not in bucket, "a value is told twice")
            bucket[value] = int(count)
        check.require({c for _, c in told} == set(self.sensitive), "columns of the sensitive table")
        for (number, column), counts in told.items():
            check.require(sum(counts.values()) == sizes[number], "bucket %d has another size" % number)
            check.require(max(counts.values()) * self.l <= sizes[number], "bucket %d is not diverse" % number)
        check.require(len(told) == len(sizes) * len(self.sensitive), "a bucket is missing")
        check.require(min(sizes.values()) >= self.k, "a bucket is too small")
        for name in self.sensitive:
            whole = sum((c for (_, column), c in told.items() if column == name), Counter())
            check.require(whole == Counter(self.read_values(name)), "values of %s changed" % name)
        return sizes

    def check_values(self, stem):
        """In the order of the input: each bucket has the values of its own records."""
        rows = check.read_table(stem + ".csv", ",")[1]
        lines = check.read_table(stem + ".sensitive.csv", ",")[1]
        for name in self.sensitive:
            own, told = Counter(), Counter()
            for row, value in zip(rows, self.read_values(name)):
                own[row[0], value] += 1
            for number, column, value, count in lines:
                if column == name:
                    told[number, None if value in check.TOKENS else value] += int(count)
            check.require(own == told, "values of %s in some bucket" % name)

    def read_files(self):
        return [open(f, "rb").read() for f in ("out.csv", "out.sensitive.csv")]

    def check_order(self, common):
        """Mondrian's classes do not depend on the order of the input where only sizes are asked for."""
        options = [*common, "-k", self.k, "--missing", "keep", "--quiet", "--identifier", "id", "--rest", "release", "--method", "bucketize"]
        self.run("anonymize", "table.csv", "-o", "out.csv", *options)
        files = self.read_files()
        self.rng.shuffle(self.records)
        tables.write_table("table.csv", self.header, self.records, ",", self.rng)
        self.run("anonymize", "table.csv", "-o", "out.csv", *options)
        check.require(files == self.read_files(), "the order of the input shows")

    def check(self):
        rng = self.rng
        self.make()
        method = rng.choice(["anatomy:test_seed=%d" % self.seed, "bucketize", "bucketize:from=topdown", "bucketize:from=mondrian"])
        common = ["--quasi", ",".join(self.quasi), "--sensitive", ",".join(self.sensitive)]
        for name in self.quasi:
            column = self.header.index(name)
            if any(not r[column].isdigit() for r in self.records):
                common += ["--type", name + "=string"]
        ask = ["-k", self.k, "--l", "%.17g" % float(self.l)]
        if float(self.l) * self.l.denominator != self.l.numerator:
            ask = ["-k", self.k, "--l", "%.12g" % (float(self.l) - 1e-9)]
        options = [*ask, *common, "--missing", "keep", "--quiet", "--seed", self.seed, "--method", method]
        told = json.loads(self.run("anonymize", "table.csv", "-o", "out.csv", "--identifier", "id", "--rest", "release", "--json",
                                   "--threads", 1, *options))
        sizes = self.check_pair("out")
        check.require(told["shape"] == "buckets" and told["holds"] and told["gcp"] == 0, "the report")
        check.require(told["classes"] == len(sizes) and told["smallest_class"] == min(sizes.values()), "sizes")
        check.require(told["discernibility"] == sum(s * s for s in sizes.values()), "discernibility")
        self.run("verify", "out.csv", *ask, *common, "--quiet")
        self.run("verify", "out.csv", "-k", min(sizes.values()) + 1, *common, "--quiet", code=4)
        found = json.loads(self.run("measure", "table.csv", "out.csv", *common, "--missing", "keep", "--json"))
        check.require(found["shape"] == "buckets" and found["gcp"] == 0 and found["classes"] == len(sizes), "measure")
        self.run("anonymize", "table.csv", "-o", "kept.csv", "--identifier", "id", "--rest", "release", "--keep-order", *options)
        self.check_values("kept")
        files = self.read_files()
        self.run("anonymize", "table.csv", "-o", "out.csv", "--identifier", "id", "--rest", "release", "--threads", 3, *options)
        check.require(files == self.read_files(), "other bytes on other threads")
        self.check_order(common)
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    tables = seeds.span(args.first, args.seeds)
    program = os.path.abspath(args.program)
    failed = 0
    for seed in tables:
        folder = tempfile.mkdtemp(prefix="shoal-buckets-")
        os.chdir(folder)
        case = Case(program, seed)
        try:
            case.check()
        except (check.Wrong, ValueError, KeyError, IndexError) as wrong:
            failed += 1
            print("seed %d: %s: %s" % (seed, type(wrong).__name__, wrong))
            for command in case.commands:
                print("   ", " ".join(map(repr, command)))
        os.chdir("/")
        shutil.rmtree(folder)
    print("%d tables checked, %d failed" % (len(tables), failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
