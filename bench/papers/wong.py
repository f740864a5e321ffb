#!/usr/bin/env python3
"""Figures 2 and 3 of the (alpha,k)-anonymity paper on the Adult data.

    bench/papers/wong.py                 measure and print the tables
    bench/papers/wong.py --write         also write docs/papers/wong.md's tables and wong-*.svg
    bench/papers/wong.py --rounds 5      as often as the paper did (1 round is the quickest)

R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, KDD 2006, doi:10.1145/1150402.1150499, plot time and
distortion ratio against alpha and against the number of quasi-identifier columns, for two k. At every
point the methods run in turn, on one thread, in each of several rounds over all points: whatever else the
machine does meets all of them. A time is that of the anonymize stage, the least of the rounds, since a
busy machine only adds to it; a ratio of times is taken within each round, and of those the median. The
data are looked for in $SHOAL_DATA or ../shared/data.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

import plot

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "shoal"
WORK = ROOT / "build" / "bench"
DATA = pathlib.Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data")) / "adult"
PAGE = ROOT / "docs" / "papers" / "wong.md"

# The columns in the paper's order, and the hierarchy of each.
COLUMNS = {"age": "age", "workclass": "workclass", "education": "education",
           "marital-status": "marital-status", "race": "race", "sex": "sex",
           "native-country": "native-country", "class": "salary-class"}
SENSITIVE = "occupation"
METHODS = ("incognito", "specialize", "topdown", "mondrian")
ALPHAS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
SIZES = tuple(range(1, len(COLUMNS) + 1))
ALPHA, SIZE = 0.5, len(COLUMNS)
FIGURES = {2: 2, 3: 10}  # the figure's number and its k


def run_program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"shoal {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def list_methods():
    """Those of METHODS that the program has."""
    known = set(re.findall(r"^(\w+)", run_program("methods"), flags=re.M))
    return [method for method in METHODS if method in known]


def write_complete_records():
    """The records of Adult without a missing value; their number must be the paper's."""
    path = WORK / "adult-complete.csv"
    with open(DATA / "adult.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and "?" not in row]
    if len(rows) - 1 != 45222:
        sys.exit(f"{DATA}: expected 45222 complete records, found {len(rows) - 1}")
    WORK.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


def measure_once(source, method, k, alpha, size):
    """Distortion ratio and seconds of one run."""
    columns = list(COLUMNS)[:size]
    hierarchies = []
    for column in columns:
        hierarchies += ["--hierarchy", f"{column}={DATA / 'hierarchies' / COLUMNS[column]}.csv"]
    report = json.loads(run_program(
        "anonymize", source, "-o", WORK / "wong.csv", "--json", "--quiet", "--threads", "1",
        "--quasi", ",".join(columns), "--sensitive", SENSITIVE, "-k", k, "--alpha", alpha,
        "--method", method, *hierarchies))
    return report["distortion_ratio"], report["seconds"]["anonymize"]


class Point:
    """What the methods do at one k, alpha and number of columns."""

    def __init__(self, methods, k, alpha, size):
        self.k, self.alpha, self.size = k, alpha, size
        self.distortion, self.rounds = {}, {method: [] for method in methods}

    def add_round(self, source):
        for method, times in self.rounds.items():
            self.distortion[method], seconds = measure_once(
                source, method, self.k, self.alpha, self.size)
            times.append(seconds)

    def seconds(self, method):
        return min(self.rounds[method])

    def time_ratio(self, slow, fast):
        return statistics.median(a / b for a, b in zip(self.rounds[slow], self.rounds[fast]))

    def distortion_ratio(self, worse, better):
        """None where both are 0: nothing had to be generalized."""
        if self.distortion[better] == 0:
            return None if self.distortion[worse] == 0 else math.inf
        return self.distortion[worse] / self.distortion[better]


class Sweep:
    """The points of one figure: along alpha with all columns, and along the columns."""

    def __init__(self, methods, k):
        at = {(alpha, size): Point(methods, k, alpha, size)
              for alpha, size in [(a, SIZE) for a in ALPHAS] + [(ALPHA, s) for s in SIZES]}
        self.methods = methods
        self.along_alpha = [at[alpha, SIZE] for alpha in ALPHAS]
        self.along_size = [at[ALPHA, size] for size in SIZES]
        self.points = list(at.values())


def measure(source, points, rounds):
    """A round goes over all points, so that a busy minute does not fall on a few of them alone."""
    for number in range(1, rounds + 1):
        for point in points:
            point.add_round(source)
        print(f"round {number} of {rounds}; load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True)


def format_table(head, rows):
    rule = ["---:"] * len(head)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def tabulate(sweep, points, name, coordinate):
    """Distortion and seconds of each method at each point."""
    head = [name] + [f"{method}, distortion" for method in sweep.methods]
    head += [f"{method}, s" for method in sweep.methods]
    return format_table(head, [
        [str(coordinate(point))] + [f"{point.distortion[method]:.4f}" for method in sweep.methods]
        + [f"{point.seconds(method):.3f}" for method in sweep.methods] for point in points])


def mean_of(ratios):
    """The arithmetic mean, and the geometric, which no single point can carry."""
    finite = [ratio for ratio in ratios if ratio is not None and math.isfinite(ratio)]
    if not finite:
        return "–"
    return f"{statistics.fmean(finite):.2f} ({statistics.geometric_mean(finite):.2f})"


def tabulate_ratios(sweeps, slow):
    """How many times more distortion and time `slow` has than each other method, on average."""
    rows = []
    others = [method for method in next(iter(sweeps.values())).methods if method != slow]
    for method in others:
        for label, chosen in [(f"k = {FIGURES[number]}", [sweep]) for number, sweep in sweeps.items()] \
                + [("both", list(sweeps.values()))]:
            points = [point for sweep in chosen for point in sweep.points]
            rows.append([method, label,
                         mean_of(point.distortion_ratio(slow, method) for point in points),
                         ratio_of_means(points, lambda point, m: point.distortion[m], slow, method),
                         mean_of(point.time_ratio(slow, method) for point in points),
                         ratio_of_means(points, lambda point, m: point.seconds(m), slow, method)])
    return format_table(["method", "sweep", "distortion, mean of ratios", "ratio of means",
                         "time, mean of ratios", "ratio of means"], rows)


def ratio_of_means(points, figure, slow, fast):
    return f"{sum(figure(p, slow) for p in points) / sum(figure(p, fast) for p in points):.2f}"


def draw(number, sweep):
    """The four panels of a figure."""
    k = FIGURES[number]
    panels = (
        ("a", "time", sweep.along_alpha, "α", lambda p: p.alpha, lambda p, m: p.seconds(m)),
        ("b", "time", sweep.along_size, "columns", lambda p: p.size, lambda p, m: p.seconds(m)),
        ("c", "distortion", sweep.along_alpha, "α", lambda p: p.alpha, lambda p, m: p.distortion[m]),
        ("d", "distortion", sweep.along_size, "columns", lambda p: p.size,
         lambda p, m: p.distortion[m]))
    for letter, what, points, axis, x, y in panels:
        fixed = f"{SIZE} columns" if axis == "α" else f"α = {ALPHA}"
        curves = {m: [(x(p), y(p, m)) for p in points] for m in sweep.methods}
        svg = plot.draw_curves(
            title=f"Adult, k = {k}, {fixed}", curves=curves,
            x_label="α" if axis == "α" else "columns of the quasi-identifier",
            y_label="seconds, one thread" if what == "time" else "distortion ratio",
            logarithmic=what == "time")
        (PAGE.parent / f"wong-{number}{letter}.svg").write_text(svg, encoding="utf-8")


def write_page(tables):
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        pattern = rf"(<!-- table {name} -->\n).*?(<!-- end {name} -->)"
        text, count = re.subn(pattern, lambda found: f"{found[1]}{table}\n{found[2]}", text, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE}: no place for the table {name}")
    PAGE.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Repeat figures 2 and 3 of the (alpha,k) paper.")
    parser.add_argument("--rounds", type=int, default=3, help="runs per point and method (3)")
    parser.add_argument("--write", action="store_true", help="write docs/papers/wong*")
    options = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"skipped: {DATA} is not there")
    source, methods = write_complete_records(), list_methods()
    sweeps = {number: Sweep(methods, k) for number, k in FIGURES.items()}
    measure(source, [point for sweep in sweeps.values() for point in sweep.points], options.rounds)
    tables = {}
    for number, sweep in sweeps.items():
        tables[f"{number}-alpha"] = tabulate(sweep, sweep.along_alpha, "α", lambda p: p.alpha)
        tables[f"{number}-columns"] = tabulate(sweep, sweep.along_size, "columns", lambda p: p.size)
    if "incognito" in methods:
        tables["ratios"] = tabulate_ratios(sweeps, "incognito")
    for name, table in tables.items():
        print(f"{name}\n\n{table}\n")
    if options.write:
        write_page(tables)
        for number, sweep in sweeps.items():
            draw(number, sweep)


if __name__ == "__main__":
    main()
