#!/usr/bin/env python3
"""What counting persons costs: Adult with invented repeats, with and without the role person.

    persons.py --program PATH [--runs N] [--data FOLDER]

Complete records of Adult are persons who have one to six records each, in which the age grows by a
year at most, until there are as many records as Adult has. The same table is anonymized by records
and by persons; times are the fastest of N whole runs in turn. Prints the table of
docs/performance.md.
"""
import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile

QUASI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country", "education-num"]
CASES = [
    ("mondrian", ["-k", "10"]),
    ("topdown", ["-k", "10"]),
    ("best:effort=fast", ["-k", "10"]),
    ("best", ["-k", "10"]),
    ("mondrian", ["-k", "10", "--l", "3"]),
    ("topdown", ["-k", "10", "--l", "3"]),
    ("best:effort=fast", ["-k", "10", "--t", "0.2"]),
]


def write_table(path, folder):
    with open(os.path.join(folder, "adult", "adult_train.csv"), encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file, skipinitialspace=True) if "?" not in r.values()]
    quasi = [c for c in QUASI if c in rows[0]]
    draw, records = random.Random(1), []
    draw.shuffle(rows)
    for number, row in enumerate(rows):
        for _ in range(draw.randint(1, 6)):
            one = dict(row, person="p%05d" % number, age=int(row["age"]) + draw.randint(0, 1))
            records.append([one[c] for c in ["person"] + quasi + ["occupation"]])
        if len(records) >= len(rows):
            break
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["person"] + quasi + ["occupation"])
        writer.writerows(records)
    return quasi, len(records), number + 1


def run(program, folder, quasi, method, options, person):
    command = [program, "anonymize", "in.csv", "-o", "out.csv", "--quasi", ",".join(quasi), "--sensitive",
               "occupation", "--person" if person else "--identifier", "person", "--method", method,
               "--json", "-q"] + options
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    return report["gcp"], report["seconds"]["total"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", default=os.environ.get("SHOAL_DATA", ""))
    arguments = parser.parse_args()
    if not os.path.exists(os.path.join(arguments.data, "adult", "adult_train.csv")):
        print("skipped: no Adult; set SHOAL_DATA")
        return 77
    program = os.path.abspath(arguments.program)
    with tempfile.TemporaryDirectory() as folder:
        quasi, records, persons = write_table(os.path.join(folder, "in.csv"), arguments.data)
        print("%d records of %d persons, %d quasi-identifiers\n" % (records, persons, len(quasi)))
        print("| method | asked | GCP by records | GCP by persons | s by records | s by persons | times |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for method, options in CASES:
            found = {True: [], False: []}
            for _ in range(arguments.runs):
                for person in (False, True):
                    found[person].append(run(program, folder, quasi, method, options, person))
            gcp = {p: found[p][0][0] for p in found}
            seconds = {p: min(s for _, s in found[p]) for p in found}
            print("| `%s` | %s | %.2f %% | %.2f %% | %.3f | %.3f | %.2f |" % (
                method, " ".join(options).replace("-", ""), 100 * gcp[False], 100 * gcp[True],
                seconds[False], seconds[True], seconds[True] / seconds[False]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
