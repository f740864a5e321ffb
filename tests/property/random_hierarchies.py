#!/usr/bin/env python3
"""Builders of hierarchies against a second program that draws the same paths.

    random_hierarchies.py --program PATH/TO/shoal [--rounds N] [--seed S]

Columns of random codes and texts go through `shoal hierarchy build`; what each value is below is computed
again from what docs/hierarchies.md says, by other means: ranges of diagnoses must hold their category and
lie in each other, prefixes of digits are prefixes, parts are split by a regular expression. Outlines are read
by a reader of ten lines. Prints the seed of a round that fails.
"""

import argparse
import csv
import io
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def expect(is_true, *what):
    if not is_true:
        raise AssertionError(" ".join(map(str, what)))


def run(program, *arguments):
    result = subprocess.run([program, "hierarchy", *map(str, arguments)], capture_output=True, text=True)
    expect(result.returncode == 0, arguments, "exit code", result.returncode, result.stderr)
    return result.stdout


def read_paths(text):
    """Each value with what it is below, from fine to coarse."""
    return {row[0]: row[1:] for row in csv.reader(io.StringIO(text), delimiter=";")}


def read_outline(text):
    above, paths, lines = [], {}, [line for line in text.split("\n") if line.strip()]
    for at, line in enumerate(lines):
        depth = (len(line) - len(line.lstrip(" "))) // 2
        label = next(csv.reader([line[2 * depth:]], delimiter="\0"))[0]
        above = above[:depth] + [label]
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if len(following) - len(following.lstrip(" ")) <= 2 * depth:
            paths[label] = above[-2::-1]
    return paths


# --- Systems of codes. ---------------------------------------------------------------------------------


def draw_diagnosis(rng):
    code = f"{rng.choice('ABCEGIJMSTXZ')}{rng.randint(0, 89):02d}"
    tail = rng.choice(["", ".", "."]) and "." + str(rng.randint(0, 99))
    tail = tail.replace(".", "") if rng.random() < 0.2 else tail
    text = code + tail + rng.choice(["", "", "", "+", "*", "!"])
    return text.lower() if rng.random() < 0.1 else text


def check_diagnosis(value, groups, other):
    category = value.strip().upper()[:3]
    expect(groups[-1] == "*", value, groups)
    ranges = [label.split("-") for label in groups if re.fullmatch(r"[A-Z]\d\d-[A-Z]\d\d", label)]
    expect(1 <= len(ranges) <= 2, value, groups)
    for first, last in ranges:
        expect(first <= category <= last, value, groups)
    if len(ranges) == 2:
        expect(ranges[1][0] <= ranges[0][0] and ranges[0][1] <= ranges[1][1], value, groups)
    for label in groups[:-1 - len(ranges)]:
        expect(label == category, value, groups)
    expect(value.upper() == category or groups[0] == category, value, groups)


MAJOR = {"2": "2 Professionals", "5": "5 Service and sales workers", "9": "9 Elementary occupations"}
UNITS = ["2111", "2112", "2211", "2212", "2221", "2222", "2512", "5111", "5120", "5131", "5132", "9111",
         "9112", "9211", "9510", "9623"]


def draw_occupation(rng):
    unit = rng.choice(UNITS)
    return rng.choice([unit, unit, unit, unit[:3], unit[:2], unit[0], unit + "1"])


def check_occupation(value, groups, other):
    digits = [value[:n] for n in range(min(4, len(value)), 1, -1)]
    want = [label for label in digits if label != value] + [MAJOR[value[0]], "*"]
    expect([label for label in groups if label != value] == want, value, groups, want)


COUNTRIES = {"DE": "Germany", "FR": "France", "EL": "Greece", "UK": "United Kingdom", "CH": "Switzerland"}


def draw_region(rng):
    return rng.choice(list(COUNTRIES)) + "".join(rng.choice("123AB") for _ in range(rng.randint(0, 3)))


def check_region(value, groups, other):
    want = [value[:n] for n in range(len(value) - 1, 2, -1)] + [COUNTRIES[value[:2]], "*"]
    expect([label for label in groups if label != value] == want, value, groups, want)


PLACES = {"DE": ["Western Europe", "Europe"], "DEU": ["Western Europe", "Europe"],
          "Germany": ["Western Europe", "Europe"], "IT": ["Southern Europe", "Europe"],
          "USA": ["Northern America", "Americas"], "Brazil": ["South America", "Americas"],
          "JP": ["Eastern Asia", "Asia"], "NZL": ["Australia and New Zealand", "Oceania"],
          "KE": ["Eastern Africa", "Africa"], "AQ": ["Antarctica"], "tr": ["Western Asia", "Asia"]}


def check_country(value, groups, other):
    expect(groups == PLACES[value] + ["*"], value, groups)


SYSTEMS = {"icd10": (draw_diagnosis, check_diagnosis), "isco": (draw_occupation, check_occupation),
           "nuts": (draw_region, check_region),
           "countries": (lambda rng: rng.choice(list(PLACES)), check_country)}


# --- Parts. --------------------------------------------------------------------------------------------


def draw_parts(rng):
    return "".join(rng.choice("abA.-/1") for _ in range(rng.randint(1, 8)))


def paths_of_parts(value, separators, length):
    inside = re.escape(separators)
    pieces = re.match(rf"([{inside}]*[^{inside}]*)(.*)", value).groups()
    cuts = [pieces[0]]
    for part in re.findall(rf"[{inside}]+[^{inside}]*", pieces[1]):
        cuts.append(cuts[-1] + part)
    if cuts[-1] != value:
        cuts.append(value)
    head = cuts[0]
    masks = [head[:keep] + "*" * (length - keep) for keep in range(1, min(length, len(head)))]
    return (masks + cuts)[::-1] + ["*"]


def check_round(rng, program, folder):
    table = folder / "in.csv"

    def write(values):
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "y"])
            writer.writerows([value, 1] for value in values)

    system = rng.choice(list(SYSTEMS))
    draw, check = SYSTEMS[system]
    values = [draw(rng) for _ in range(rng.randint(1, 60))]
    unknown = [f"?{n}" for n in range(rng.randint(0, 3))]
    write(values + unknown)
    paths = read_paths(run(program, "build", table, "--column", "x", "--codes", system + ":none"))
    expect(set(paths) == set(values) | set(unknown), "values", set(paths) ^ (set(values) | set(unknown)))
    for value, groups in paths.items():
        if value in unknown:
            expect(groups == ["none", "*"], value, groups)
        else:
            check(value, groups, "none")

    values = sorted({draw_parts(rng) for _ in range(rng.randint(1, 40))})
    separators = rng.choice([".", "-", ".-/"])
    length = rng.randint(1, 6)
    write(values)
    asked = ["build", table, "--column", "x", "--prefix", length, "--separators", separators]
    paths = read_paths(run(program, *asked))
    for value in values:
        want = paths_of_parts(value, separators, length)
        # Groups of the value's own name are there only where others are in them.
        got = [label for label in paths[value] if label != value]
        expect(got == [label for label in want if label != value], value, separators, length, got, want)

    outline = run(program, *asked, "--outline")
    expect(read_outline(outline) == paths, "outline", outline)
    (folder / "outline.txt").write_text(outline, encoding="utf-8")
    expect(read_paths(run(program, "convert", folder / "outline.txt")) == paths, "converted")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="shoal")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for seed in range(arguments.seed, arguments.seed + arguments.rounds):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check_round(random.Random(seed), arguments.program, Path(folder))
            except AssertionError as mistake:
                print(f"seed {seed}: {mistake}", file=sys.stderr)
                return 1
    print(f"{arguments.rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
