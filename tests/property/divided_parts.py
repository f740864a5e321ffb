#!/usr/bin/env python3
"""A table in shuffled parts, every step another process: mondrian's release is that of the whole.

    divided_parts.py --program SHOAL --steps DIVIDED_PARTS --spec SPEC.yaml --parts N [--most M] INPUT.csv
    divided_parts.py --program SHOAL --steps DIVIDED_PARTS --small

The lines of the published fragments, sorted, must be those of the program's release; with another
method than mondrian the loss of both is printed. --small: a generated table, in 2, 5 and 64 parts; and visits of
persons, in parts of whole persons, whose classes are counted here once more. --person: deal out by this column.
"""
import argparse
import json
import random
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

CENSUS = """columns:
  age: {role: quasi}
  sex: {role: quasi}
  education: {role: quasi}
  marital: {role: quasi}
  race: {role: quasi}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  income: {role: sensitive}
privacy: {k: 10, l: {value: 2, kind: distinct}}
method: mondrian
seed: 1
"""


VISITS = """columns:
  who: {role: person}
  age: {role: quasi}
  town: {role: quasi}
  zip: {role: quasi, hierarchy: {prefix: 3}}
  ill: {role: sensitive}
  visit: {role: insensitive}
privacy: {k: 4, l: {value: 3, kind: distinct}}
method: mondrian
seed: 1
"""


LEFT_OUT = 2**32 - 1  # a record without a value that it needs


def run(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def deal_out(lines, count, folder, person):
    """Parts of the lines of a table, in another order; their files and their lines. Lines that have the same value in the
    column of the person are in one part."""
    body = lines[1:]
    random.Random(count).shuffle(body)
    parts = [body[i::count] for i in range(count)]
    if person:
        column = lines[0].rstrip("\n").split(",").index(person)
        parts = [[] for _ in range(count)]
        for line in body:
            parts[zlib.crc32(line.rstrip("\n").split(",")[column].encode()) % count].append(line)
        parts = [part for part in parts if part]
    files = []
    for i, part in enumerate(parts):
        files.append(folder / f"part{i}.csv")
        files[-1].write_text(lines[0] + "".join(part))
    return parts, files


def divide(steps, spec, files, most, folder):
    """The file of a division that is cut, and its number of fragments."""
    values = [folder / f"values{i}" for i in range(len(files))]
    for part, out in zip(files, values):
        run(steps, "values", spec, part, out)
    division = folder / "division"
    is_open = int(run(steps, "build", spec, division, most, *values))
    fragments = 1
    while is_open:
        counts = [folder / f"counts{i}" for i in range(len(files))]
        for part, out in zip(files, counts):
            run(steps, "count", spec, division, part, out)
        is_open, fragments = map(int, run(steps, "cut", spec, division, most, *counts).split())
    return division, fragments


def solve(steps, spec, division, fragments, parts, files, header, folder):
    """The published lines, and the outcome."""
    records = [[] for _ in range(fragments)]
    for part, path in zip(parts, files):
        for line, fragment in zip(part, run(steps, "route", spec, division, path).split()):
            if int(fragment) != LEFT_OUT:
                records[int(fragment)].append(line)
    published = []
    classes = []
    for i, lines in enumerate(records):
        (folder / "records.csv").write_text(header + "".join(lines))
        classes.append(folder / f"classes{i}")
        run(steps, "solve", spec, division, i, folder / "records.csv", folder / "published.csv",
            classes[-1])
        published += (folder / "published.csv").read_text().splitlines()[1:]
    return published, run(steps, "verify", spec, division, *classes).split()


def compare(options, spec, source, count, most):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / "whole.csv"
        report = json.loads(run(options.program, "anonymize", source, "-o", whole, "--spec", spec,
                                "--json"))
        lines = source.read_text().splitlines(keepends=True)
        parts, files = deal_out(lines, count, folder, options.person)
        division, fragments = divide(options.steps, spec, files, most, folder)
        published, outcome = solve(options.steps, spec, division, fragments, parts, files, lines[0],
                                   folder)
        expected = whole.read_text().splitlines()[1:]
        is_same = sorted(expected) == sorted(published)
        print(f"{source.name} in {count} parts: {fragments} fragments, {len(published)} records, "
              f"{'the same as' if is_same else 'other than'} the whole; {outcome[0]}; "
              f"GCP {100 * float(outcome[-1]):.4f} %, whole {100 * report['gcp']:.4f} %",
              flush=True)
        if options.checks_visits:
            check_visits(lines, published)
        return outcome[0] == "holds" and fragments > 1 and (is_same or not options.exact)


def write_visits(path, rows):
    """Persons with one visit to six, about the same age and place; a number tells each visit."""
    draw = random.Random(5)
    lines = ["who,age,town,zip,ill,visit\n"]
    for visit in range(rows):
        who = draw.randrange(rows // 3)
        lines.append(f"p{who},{20 + who * 7 % 60 + draw.randrange(3)},t{(who + draw.randrange(2)) % 7},"
                     f"{draw.randrange(300):03},d{draw.randrange(8)},{visit}\n")
    path.write_text("".join(lines))


def check_visits(lines, published):
    """Every class has 4 persons and 3 values at least, by the number of the visit."""
    who = {}
    for line in lines[1:]:
        cells = line.rstrip("\n").split(",")
        who[cells[5]] = cells[0]
    persons, values = {}, {}
    for line in published:
        *box, ill, visit = line.split(",")
        persons.setdefault(tuple(box), set()).add(who[visit])
        values.setdefault(tuple(box), set()).add(ill)
    few = [box for box in persons if len(persons[box]) < 4 or len(values[box]) < 3]
    if few or len(published) != len(lines) - 1:
        sys.exit(f"{len(few)} classes of visits do not hold, {len(published)} visits are published")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--steps", required=True)
    parser.add_argument("--spec", type=Path)
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 5, 64])
    parser.add_argument("--most", type=int, default=100000)
    parser.add_argument("--any-method", dest="exact", action="store_false")
    parser.add_argument("--person")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("input", type=Path, nargs="?")
    options = parser.parse_args()
    options.checks_visits = False

    if not options.small:
        return 0 if all([compare(options, options.spec, options.input, count, options.most)
                         for count in options.parts]) else 1
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "census.csv"
        spec = Path(name) / "census.yaml"
        run(options.program, "generate", "census", "--records", 3000, "-o", source)
        spec.write_text(CENSUS)
        is_same = all([compare(options, spec, source, count, 400) for count in options.parts])
        source = Path(name) / "visits.csv"
        write_visits(source, 2000)
        spec.write_text(VISITS)
        options.person, options.checks_visits = "who", True
        return 0 if all([compare(options, spec, source, count, 400) for count in options.parts[:2]]) and is_same else 1


if __name__ == "__main__":
    sys.exit(main())
