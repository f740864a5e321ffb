#!/usr/bin/env python3
"""Releases that go together with earlier ones, by random tables and a checker that knows only the documents.

    random_previous.py --program PATH/TO/shoal [--seeds N]

A table is released; some people leave, some come, and what is left is released again with --previous. Everybody of the new
table who may be in the old release (a class of it covers him, and its classes that do have his value) must hide among at
least k, and l different shares, of those of his new class whom an old class covers together with him and whose values the
classes that cover him have (values count where a requirement is about them). A run may say that it cannot (exit code 3), and then must publish nothing; but of a table that
has not changed the old release itself would do, so there it must not, and the releases must not all be refusals.
"""

import argparse
import csv
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

UNSATISFIABLE = 3
METHODS = ["best:effort=fast", "topdown", "mondrian", "bottomup", "hilbert", "cluster", "specialize"]


def read(path):
    with open(path, newline="") as file:
        return list(csv.reader(file))[1:]


def parse(text):
    """The range of numbers that a released text means."""
    if text == "*":
        return (float("-inf"), float("inf"))
    if text.startswith("["):
        low, high = text[1:-1].split("..")
        return (float(low), float(high))
    return (float(text), float(text))


def covers(box, point):
    return all(low <= value <= high for (low, high), value in zip(box, point))


class Release:
    """Classes by their texts: boxes and the values of their rows."""

    def __init__(self, path):
        self.classes = {}
        for *quasi, value in read(path):
            self.classes.setdefault(tuple(quasi), []).append(value)
        self.boxes = {key: [parse(text) for text in key] for key in self.classes}

    def covering(self, point):
        return {key for key, box in self.boxes.items() if covers(box, point)}


def check(table, released, previous, k, l):
    """What is wrong, in words; None when nothing is. released: the text of each record's class, in the table's order."""
    covering = [[old.covering(point) for point, _ in table] for old in previous]
    everything = {value for _, value in table}
    values = [[({v for key in keys for v in old.classes[key]} if l else everything) if keys else set() for keys in of]
              for old, of in zip(previous, covering)]
    in_both = 0
    for p, (_, value) in enumerate(table):
        cell = [q for q in range(len(table)) if released[q] == released[p]]
        is_in = False
        for i in range(len(previous)):
            if value not in values[i][p]:
                continue
            is_in = True
            cell = [q for q in cell if table[q][1] in values[i][p] and covering[i][q] & covering[i][p]]
        in_both += is_in
        counts = Counter(table[q][1] for q in cell)
        if is_in and (len(cell) < k or (l and max(counts.values()) * l > len(cell) + 1e-9)):
            return f"record {p + 1} hides among {len(cell)} with {dict(counts)}", in_both
    return None, in_both


def write(path, table):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["a", "b", "ill"])
        writer.writerows([*point, value] for point, value in table)


def draw(rng, spread, values):
    return (rng.randrange(spread), rng.randrange(spread)), rng.choice(values)


def change(rng, table, spread, values, leaving, coming):
    rest = [record for record in table if rng.random() >= leaving]
    rest += [draw(rng, spread, values) for _ in range(rng.randrange(coming + 1))]
    rng.shuffle(rest)
    return rest


class Case:
    def __init__(self, program, folder, seed):
        self.program, self.folder = program, Path(folder)
        self.rng = random.Random(seed)
        self.k = self.rng.choice([2, 3, 4])
        self.l = self.rng.choice([0, 0, 1.5, 2])
        self.values = "abcd"[:self.rng.choice([2, 3, 4])]

    def run(self, table, name, previous):
        """The texts of the classes of the records, in their order; None: it cannot be done."""
        source, target = self.folder / "in.csv", self.folder / f"{name}.csv"
        target.unlink(missing_ok=True)
        write(source, table)
        command = [self.program, "anonymize", str(source), "-o", str(target), "-k", str(self.k), "--quasi", "a,b",
                   "--sensitive", "ill", "--method", self.rng.choice(METHODS), "--quiet", "--keep-order"]
        command += ["--l", str(self.l)] if self.l else []
        for old in previous:
            command += ["--previous", str(old)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == UNSATISFIABLE:
            if target.exists():
                sys.exit(f"published though it cannot be done: {' '.join(command)}")
            return None
        if run.returncode != 0:
            sys.exit(f"exit code {run.returncode}: {' '.join(command)}\n{run.stderr}")
        return [tuple(quasi) for *quasi, _ in read(target)]

    def go(self):
        """(runs with --previous, refusals, people in both)"""
        spread = self.rng.choice([3, 8, 30])
        table = [draw(self.rng, spread, self.values) for _ in range(self.rng.randrange(3 * self.k, 60))]
        names, runs, refused, in_both = [], 0, 0, 0
        for generation in range(self.rng.choice([2, 2, 3])):
            same = generation > 0 and self.rng.random() < 0.3
            if generation > 0 and not same:
                table = change(self.rng, table, spread, self.values, self.rng.choice([0, 0.02, 0.1]), 10)
            released = self.run(table, f"r{generation}", names)
            if released is None:
                refused += bool(names)
                runs += bool(names)
                if same and len(names) == 1:
                    sys.exit("an unchanged table was refused")
                break
            if names:
                runs += 1
                wrong, people = check(table, released, [Release(name) for name in names], self.k, self.l)
                in_both += people
                if wrong:
                    sys.exit(wrong)
            names.append(self.folder / f"r{generation}.csv")
        return runs, refused, in_both


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    runs = refused = in_both = 0
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = Case(options.program, folder, seed).go()
            except SystemExit as failure:
                sys.exit(f"seed {seed}: {failure}")
        runs, refused, in_both = runs + found[0], refused + found[1], in_both + found[2]
    print(f"{runs} releases beside earlier ones, {refused} refused, {in_both} people in both")
    if options.seeds >= 20 and not (0 < runs - refused and in_both > 0):
        sys.exit("nothing was tested")


if __name__ == "__main__":
    main()
