#!/usr/bin/env python3
"""What `inspect -o` writes runs as it is, on random messy files and with random options.

    inspect_runs.py --program PATH/TO/shoal [--seeds N] [--first SEED]

Every file has its own delimiter, encoding, decimal mark, formats of dates, words for missing values, columns of codes,
numbers, names, constants and emptiness, with names in six languages or of odd signs. `inspect FILE OPTIONS -o SPEC`
must work, and `anonymize FILE --spec SPEC` without any further option must publish, unless there is no column that anybody
else could know, which the spec must say. What was given to inspect must
stand in the spec; neither its text nor its JSON may show a cell.
"""

import argparse
import datetime
import random
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ["age", "Alter", "edad", "âge", "sex", "Geschlecht", "zip", "PLZ", "code postal", "CAP", "patient_id", "Kundennummer", "id", "Name", "prénom",
         "diagnosis", "Diagnose", "ingreso", "reddito", "income", "Geburtsdatum", "fecha de nacimiento", "visit date", "weight", "fnlwgt", "note",
         "Bemerkung", "x", "v1", "a: b", "#c", "'q'", "{d}", "null", "true", "-", "- e", "état", "größe", "city", "BSN", "phone", "lat", "class",
         "[f]", "g\\h", "i%j", "Straße", "κόσμος", "ß", "yes", "~", "123", "12.5", "*", "&k", "!l", "|m", "@n"]
MISSING = ["NA", "n/a", "-", ".", "unknown", "", "?", "null"]
DATES = ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%Y%m%d", "%d-%m-%Y", "%Y/%m/%d", "%d.%m.%Y %H:%M"]
SECRET = "Qzx"  # stands in cells only


def make_cells(rng, records, decimal):
    kind = rng.randrange(13)
    if kind == 0:
        low = rng.choice([0, -5, 17, 1000])
        return [str(rng.randint(low, low + rng.choice([1, 5, 80, 10**6]))) for _ in range(records)]
    if kind == 1:
        return [f"{rng.gauss(rng.choice([0, 50, 1e5]), 20):.{rng.randint(1, 4)}f}".replace(".", decimal) for _ in range(records)]
    if kind == 2:
        form = rng.choice(DATES)
        start = datetime.datetime(rng.choice([1940, 1990, 2023]), 1, 1)
        span = rng.choice([20, 400, 20000])
        return [(start + datetime.timedelta(days=rng.randrange(span))).strftime(form) for _ in range(records)]
    if kind == 3:
        return ["%05d" % rng.randint(1000, 99999) for _ in range(records)]
    if kind == 4:
        return [SECRET + str(i) for i in range(records)]
    if kind == 5:
        return ["%sn%d" % (SECRET, rng.randint(0, max(1, records // 3))) for _ in range(records)]
    if kind == 6:
        return [rng.choice([SECRET + "a", SECRET + "b c", SECRET + ";", SECRET + ",", SECRET + '"']) for _ in range(records)]
    if kind == 7:
        return [rng.choice(["", SECRET])] * records
    if kind == 8:
        return [f"{SECRET.lower()}{rng.randint(0, 10**6)}@example.org" for _ in range(records)]
    if kind == 9:
        return [" ".join(rng.choices([SECRET, "the", "man", "went", "home"], k=rng.randint(1, 12))) for _ in range(records)]
    if kind == 10:
        return [rng.choice(["C50.9", "I10", "J45.0", "E11.9"]) for _ in range(records)]
    if kind == 11:
        return [f"{rng.randint(0, 10**7):,}".replace(",", rng.choice([".", " ", "'"]) if decimal == "," else ",") for _ in range(records)]
    return [str(rng.randint(0, 1)) for _ in range(records)]


def make_file(rng, path):
    records = rng.choice([2, 3, 7, 40, 120, 300])
    delimiter = rng.choice(",;\t|")
    decimal = rng.choice(".,")
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "latin-1", "utf-16"])
    names = rng.sample(NAMES, rng.randint(1, 9))
    if encoding == "latin-1":
        names = [n for n in names if all(ord(c) < 256 for c in n)] or ["age"]
    columns = [make_cells(rng, records, decimal) for _ in names]
    for column in columns:
        if rng.random() < 0.3:
            words = rng.sample(MISSING, 2)
            column[:] = [rng.choice(words) if rng.random() < 0.1 else cell for cell in column]

    def quote(cell):
        return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in delimiter + '"\n') or rng.random() < 0.02 else cell

    with open(path, "w", encoding=encoding, newline="") as file:
        for row in [names, *zip(*columns)]:
            line = delimiter.join(map(quote, row))
            file.write((line or '""') + "\n")
    options = ["--encoding", "latin1"] if encoding == "latin-1" else []
    if len(names) == 1 or rng.random() < 0.3:
        options += ["--delimiter", {"\t": "tab"}.get(delimiter, delimiter)]
    return names, options


def add_options(rng, names, options):
    """Options that are of no danger to the run: what they ask for can be done. And what the spec must say then."""
    plain = [n for n in names if not any(c in n for c in ",=")]
    said = []
    if plain and rng.random() < 0.3:
        name = rng.choice(plain)
        role = rng.choice(["quasi", "sensitive", "identifier", "insensitive"])
        options += [f"--{role}", name]
        said.append(f"role: {role}")
    if rng.random() < 0.2:
        options += ["--missing-tokens", "NA,zz"]
        said.append("zz")
    if rng.random() < 0.1:
        options += ["--decimal", ","]
        said.append('decimal: ","')
    if rng.random() < 0.1:
        options += ["--date-format", "DD.MM.YYYY"]
        said.append("date_format: DD.MM.YYYY")
    if plain and rng.random() < 0.1:
        options += ["--type", rng.choice(plain) + "=string"]
        said.append("type: string")
    return said


def check(program, folder, seed):
    rng = random.Random(seed)
    path = folder / "in.csv"
    spec = folder / "spec.yaml"
    names, options = make_file(rng, path)
    said = add_options(rng, names, options)

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=folder)

    looked = run("inspect", path, *options, "-o", spec)
    if looked.returncode != 0:
        return f"inspect {options}: {looked.stderr}"
    text = spec.read_text()
    shown = looked.stdout + looked.stderr + text + run("inspect", path, *options, "--json").stdout
    if SECRET in shown or SECRET.lower() in shown:
        return f"inspect {options} shows a cell:\n{shown}"
    for part in said:
        if part not in text:
            return f"inspect {options} does not write {part!r}:\n{text}"
    if "No column looks like a quasi-identifier" in text:
        return None if "role: quasi" not in text else f"a quasi-identifier is overlooked:\n{text}"
    made = run("anonymize", path, "-o", folder / "out.csv", "--spec", spec, "--effort", "fast", "--threads", "1")
    if made.returncode != 0:
        return f"inspect {options} wrote a spec that does not run:\n{made.stderr}\n{text}"
    again = run("inspect", path, "--spec", spec, "-o", folder / "again.yaml")
    if again.returncode != 0:
        return f"inspect does not take its own spec: {again.stderr}\n{text}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.seeds):
            problem = check(options.program.resolve(), Path(folder), seed)
            if problem:
                print(f"seed {seed}: {problem}")
                failures += 1
    print(f"{options.seeds} files, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
