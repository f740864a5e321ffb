#!/usr/bin/env python3
"""Whether a reader who knows method and requirement learns more than promised, by trying every world.

    minimality_worlds.py --program PATH/TO/shoal [--deep]

A table is fixed but for its sensitive values. The program is run on every way to fill them in; each release tells the
reader which worlds it can come from, all equally likely beforehand. Of these he counts in how many a record has a value.
Knows nothing of how the program makes classes: releases are compared as texts.

With the defence (--against minimality) no record may have any value likelier than the requirement promises, whatever the
release; without it the six-record example must give certainty, or this file would prove nothing.
"""

import argparse
import itertools
import subprocess
import sys
import tempfile
from collections import defaultdict
from fractions import Fraction
from math import exp, log
from pathlib import Path

METHODS = ["best", "topdown", "bottomup", "mondrian", "mondrian:mode=relaxed", "specialize", "hilbert", "cluster",
           "exact", "bucketize"]
UNSATISFIABLE = 3


def share_of_hiv(chances):
    return chances.get("HIV", Fraction(0)) <= Fraction(1, 2)


def largest(bound):
    return lambda chances: max(chances.values()) <= bound


def distinct(least):
    return lambda chances: sum(1 for c in chances.values() if c > 0) >= least


def entropy(least):
    return lambda chances: -sum(c * log(c) for c in map(float, chances.values()) if c) >= log(least) - 1e-9


# What the requirement promises of the chances of one record's values.
PROMISES = {
    "--alpha 0.5:HIV": share_of_hiv,
    "--l 2": largest(Fraction(1, 2)),
    "--alpha 0.67": largest(Fraction(67, 100)),
    "--l distinct:2": distinct(2),
    "--l entropy:1.5": entropy(1.5),
}


class Table:
    def __init__(self, name, quasi, values):
        self.name, self.quasi, self.values = name, quasi, values

    def worlds(self):
        return itertools.product(self.values, repeat=len(self.quasi))


SIX = Table("six", [(1,), (1,), (2,), (2,), (2,), (2,)], ["HIV", "flu"])
DEEP = [
    Table("seven", [(1,), (2,), (3,), (4,), (7,), (8,), (9,)], ["HIV", "flu"]),
    Table("eight", [(1, 1), (1, 9), (2, 5), (3, 1), (3, 9), (7, 2), (8, 2), (9, 9)], ["HIV", "flu"]),
    Table("three values", [(1,), (1,), (2,), (3,), (3,), (4,)], ["HIV", "flu", "gout"]),
]


class Reader:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def release(self, table, world, method, requirement, defended):
        """What is published of a world; None: nothing."""
        columns = [f"q{i}" for i in range(len(table.quasi[0]))]
        lines = [",".join([*columns, "ill"])]
        lines += [",".join([*map(str, point), value]) for point, value in zip(table.quasi, world)]
        source, target = self.folder / "in.csv", self.folder / "out.csv"
        source.write_text("\n".join(lines) + "\n")
        command = [self.program, "anonymize", str(source), "-o", str(target), "-k", "2", "--quasi", ",".join(columns),
                   "--sensitive", "ill", "--method", method, "--threads", "1", "--quiet", *requirement.split()]
        run = subprocess.run(command + (["--against", "minimality"] if defended else []), capture_output=True, text=True)
        if run.returncode == UNSATISFIABLE or "does not occur" in run.stderr:
            return None
        if run.returncode != 0:
            sys.exit(f"{' '.join(command)}: {run.stderr}")
        text = target.read_text()
        second = self.folder / "out.sensitive.csv"
        return text + (second.read_text() if method.startswith("bucketize") else "")

    def posteriors(self, table, method, requirement, defended):
        """Of every release, of every record: the chance of each value."""
        worlds = defaultdict(list)
        for world in table.worlds():
            text = self.release(table, world, method, requirement, defended)
            if text is not None:
                worlds[text].append(world)
        for text, led in worlds.items():
            for record in range(len(table.quasi)):
                counts = defaultdict(Fraction)
                for world in led:
                    counts[world[record]] += Fraction(1, len(led))
                yield text, record, counts

    def count_broken(self, table, method, requirement, defended):
        """How many releases there are, how many break the promise of somebody, the largest chance of a value that the
        promise is about, and whether any release has several classes."""
        promise = PROMISES[requirement]
        broken, seen, worst = set(), set(), Fraction(0)
        for text, _, chances in self.posteriors(table, method, requirement, defended):
            seen.add(text)
            watched = ["HIV"] if requirement.endswith(":HIV") else chances
            worst = max([worst, *(chances[value] for value in watched)])
            if not promise(chances):
                broken.add(text)
        # Several first lines of data tell apart: more than the whole table as one class.
        classes = {line.rsplit(",", 1)[0] for text in seen for line in text.splitlines()[1:]}
        return len(seen), len(broken), worst, len(classes) > 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--figures", action="store_true", help="print what each case reaches")
    options = parser.parse_args()
    failures = 0
    cases = [(SIX, method, "--alpha 0.5:HIV") for method in (METHODS if options.deep else ["mondrian"])]
    if options.deep:
        cases += [(table, method, requirement) for table in DEEP for method in ["hilbert", "mondrian:mode=relaxed"]
                  for requirement in PROMISES if requirement != "--alpha 0.5:HIV"]
        cases += [(DEEP[1], method, "--alpha 0.67") for method in METHODS]
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(options.program, folder)
        several = 0
        for table, method, requirement in cases:
            releases, broken, worst, partial = reader.count_broken(table, method, requirement, True)
            several += partial
            failures += broken > 0
            if options.figures or broken:
                print(f"{table.name}, {method}, {requirement}: {releases} releases, {broken} break the promise, "
                      f"at worst {float(worst):.4f}")
            if table is SIX:
                _, broken, worst, _ = reader.count_broken(table, method, requirement, False)
                failures += worst < 1
                if options.figures or worst < 1:
                    print(f"  without the defence {broken} break it, at worst {float(worst):.4f}")
        if several < len(cases) / 2:
            sys.exit(f"only {several} of {len(cases)} cases had releases of several classes: they prove little")
    if failures:
        sys.exit(f"{failures} cases fail")
    print(f"{len(cases)} cases: nobody learns more than promised")


if __name__ == "__main__":
    main()
