#!/usr/bin/env python3
"""Columns made ready, against a second program that does the same: random tables and specs.

    made_ready.py --program PATH/TO/shoal [--rounds N] [--seed S]

With k = 1 and the order kept, a release is the table as it was made ready, cell by cell; figures of what
was lost before are computed again. With k = 3 nothing finer than asked for may be released, and within a
limit of memory mondrian makes the same of it. Prints the seed of a round that fails.
"""

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path


def draw_table(rng):
    count = rng.randint(1, 60)
    codes = [f"{rng.choice('ABÄ')}{rng.randint(10, 60)}.{rng.randint(0, 9)}" for _ in range(12)]
    return [{"age": str(rng.randint(0, 110)),
             "fee": f"{rng.randint(-50000, 50000) / 1000:.3f}".rstrip("0").rstrip("."),
             "icd": rng.choice(codes),
             "zip": f"{rng.choice([3, 30, 300]) * rng.randint(0, 9):05d}"} for _ in range(count)]


def draw_steps(rng, name, texts):
    """The settings of a column, and the function that Python does them with."""
    if name in ("age", "fee"):
        steps = {}
        if rng.random() < 0.6:
            steps["top"] = str(rng.choice([90, 40, 12.5] if name == "fee" else [90, 40, 0]))
        if rng.random() < 0.5:
            steps["bottom"] = str(rng.choice([-20, -3.75] if name == "fee" else [18, 0]))
        if "top" in steps and "bottom" in steps and Decimal(steps["bottom"]) > Decimal(steps["top"]):
            del steps["bottom"]
        if rng.random() < 0.5:
            steps["round"] = rng.choice(["0.5", "10", "0.05", "3"] if name == "fee" else ["5", "10", "7"])
        return steps, lambda text: change_number(steps, text)
    if name == "icd":
        if rng.random() < 0.3:
            least = rng.randint(2, 6)
            rare = {code for code, count in Counter(texts).items() if count < least}
            return {"rare": str(least)}, lambda text: "other" if text in rare else text
        if rng.random() < 0.3:
            return {}, lambda text: text
        length = rng.randint(1, 6)
        return {"truncate": str(length)}, lambda text: text[:length]
    level = rng.randint(0, 4)
    if level == 0:
        return {"hierarchy": "prefix:5"}, lambda text: text
    return ({"hierarchy": "prefix:5", "generalize": str(level)},
            lambda text: text[:5 - level] + "*" * level)


def change_number(steps, text):
    number = Decimal(text)
    if "round" in steps:
        step = Decimal(steps["round"])
        number = ((abs(number) / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step).copy_sign(number)
    if "top" in steps and number > Decimal(steps["top"]):
        number = Decimal(steps["top"])
    if "bottom" in steps and number < Decimal(steps["bottom"]):
        number = Decimal(steps["bottom"])
    return str(number) if number else "0"


def same(a, b):
    try:
        return Decimal(a) == Decimal(b)
    except ArithmeticError:
        return a == b


def measure(name, before, after):
    """What was lost, by the definition in docs/measures.md."""
    groups = {}
    for old, new in zip(before, after):
        groups.setdefault(Decimal(new) if name in ("age", "fee") else new, set()).add(old)
    if name in ("age", "fee"):
        numbers = [Decimal(x) for x in before]
        span = max(numbers) - min(numbers)
        lost = {key: max([key, *map(Decimal, group)]) - min([key, *map(Decimal, group)])
                for key, group in groups.items()}
        keys = [Decimal(x) for x in after]
    else:
        span = len(set(before)) - 1
        lost = {key: len(group) - 1 for key, group in groups.items()}
        keys = after
    return sum(min(1.0, float(lost[key] / span)) for key in keys) / len(keys) if span > 0 else 0.0


def run(program, folder, spec, k, order, method="topdown", **more):
    path = folder / "spec.json"  # JSON is YAML
    path.write_text(json.dumps({**spec, "privacy": {"k": k}, "method": method,
                                "output": {"order": order}, "grid": "none", **more}))
    result = subprocess.run([program, "anonymize", folder / "in.csv", "-o", folder / "out.csv",
                             "--spec", path, "--json"], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"exit code {result.returncode}: {result.stderr}")
    # What is renamed goes by its name before from here on.
    names = {settings.get("rename", name): name for name, settings in spec["columns"].items()}
    report = json.loads(result.stdout)
    for entry in report.get("made_ready", []):
        entry["column"] = names[entry["column"]]
    with open(folder / "out.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expect(not rows or set(rows[0]) == set(names), "columns", list(rows[0]), list(names))
    return report, [{names[name]: text for name, text in row.items()} for row in rows]


def expect(is_true, *what):
    if not is_true:
        raise AssertionError(" ".join(map(str, what)))


def numbers_of(text):
    for part in text.strip("[]").split(".."):
        try:
            yield Decimal(part)
        except ArithmeticError:
            pass


def check_coarsest(rng, program, folder, spec, rows):
    """No label of the column zip has more asterisks than allowed, where that can be: each group of records
    with the same label at the coarsest level has 3 of them. Otherwise nothing is released."""
    zips = [row["zip"] for row in rows]
    if any(len(code) != 5 for code in zips):
        return
    level = rng.randint(int(spec["columns"]["zip"].get("generalize", 0)), 5)
    groups = Counter(code[:5 - level] for code in zips)
    method = rng.choice(["mondrian", "topdown", "best:effort=fast", "bottomup", "cluster", "hilbert"])
    limited = {**spec, "columns": {**spec["columns"], "zip": {**spec["columns"]["zip"], "coarsest": level}}}
    if min(groups.values()) >= 3:
        _, released = run(program, folder, limited, 3, "canonical", method)
        expect(len(released) == len(rows), "records", len(released))
        for row in released:
            stars = 5 if row["zip"] == "*" else row["zip"].count("*")
            expect(stars <= level, "zip coarser than", level, "by", method, row["zip"])
    else:
        result = subprocess.run([program, "anonymize", folder / "in.csv", "-o", folder / "none.csv", "--spec", "-"],
                                input=json.dumps({**limited, "privacy": {"k": 3}, "method": method}),
                                capture_output=True, text=True)
        small = [count for count in groups.values() if count < 3]
        expect(result.returncode == 3 and not (folder / "none.csv").exists(), "exit code", result.returncode)
        expect(f"{len(groups)} groups, and {len(small)} of them, with {sum(small)} records" in result.stderr,
               result.stderr, len(groups), len(small))


def check(rng, program, folder):
    rows = draw_table(rng)
    with open(folder / "in.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    columns, changes = {}, {}
    for name in rows[0]:
        steps, changes[name] = draw_steps(rng, name, [row[name] for row in rows])
        role = rng.choice(["quasi", "sensitive", "insensitive"])
        if name == "zip" or not any(c["role"] == "quasi" for c in columns.values()):
            role = "quasi"
        columns[name] = {"role": role, **steps}
        if rng.random() < 0.2:
            columns[name]["rename"] = name + rng.choice(["_2", " new", ",x"])
        if name == "icd":
            columns[name]["type"] = "string"
    spec = {"columns": columns}

    report, released = run(program, folder, spec, 1, "keep")
    expect(len(released) == len(rows), "records", len(released), len(rows))
    found = {entry["column"]: entry for entry in report.get("made_ready", [])}
    for name, change in changes.items():
        before = [row[name] for row in rows]
        after = [change(text) for text in before]
        for record, (want, row) in enumerate(zip(after, released)):
            expect(same(want, row[name]), name, "record", record, "expected", want, "got", row[name],
                   columns[name])
        is_made = any(key in columns[name]
                      for key in ("top", "bottom", "round", "truncate", "generalize", "rare"))
        expect(is_made == (name in found), name, "made ready:", found)
        if is_made:
            loss = measure(name, before, after)
            expect(abs(found[name]["loss"] - loss) < 1e-9, name, "loss", found[name], loss)

    if len(rows) >= 3:
        _, released = run(program, folder, spec, 3, "canonical")
        allowed = {change for change in map(changes["zip"], (row["zip"] for row in rows))}
        for row in released:
            for number in numbers_of(row["age"]):
                expect("top" not in columns["age"] or
                       number <= Decimal(columns["age"]["top"]), "age above its top:", row["age"])
            fine = row["zip"].count("*")
            expect(row["zip"] == "*" or row["zip"] in allowed or
                   fine >= int(columns["zip"].get("generalize", 0)), "zip too fine:", row["zip"])
        check_coarsest(rng, program, folder, spec, rows)
        if "rare" in columns["icd"]:
            return  # not within a limit of memory
        report, released = run(program, folder, spec, 3, "canonical", "mondrian")
        limited, again = run(program, folder, spec, 3, "canonical", "mondrian", memory="100M", threads=1)
        expect(released == again, "within a limit of memory")
        expect(report.get("made_ready") == limited.get("made_ready"), "what it cost:",
               report.get("made_ready"), limited.get("made_ready"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="shoal")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for seed in range(arguments.seed, arguments.seed + arguments.rounds):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(random.Random(seed), arguments.program, Path(folder))
            except AssertionError as mistake:
                print(f"seed {seed}: {mistake}", file=sys.stderr)
                return 1
    print(f"{arguments.rounds} rounds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
