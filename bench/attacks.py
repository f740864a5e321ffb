#!/usr/bin/env python3
"""What attacks reach against each method on Adult, and write the table of docs/attacks.md.

    bench/attacks.py                  prints the table
    bench/attacks.py --write          also puts it into docs/attacks.md
    bench/attacks.py --methods mondrian,anatomy      these rows alone; others are as they were measured last

The 30,162 complete records of UCI Adult, seven quasi columns, occupation sensitive; k = 5 and l = 3, but for
nonhomogeneous, which knows k only. Composition: a second release of the same people by the same method with k = 7.
The data are looked for in $SHOAL_DATA or ../shared/data; without them nothing is measured, and that is said.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "shoal"
WORK = ROOT / "build" / "bench"
DATA = pathlib.Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data"))
PAGE = ROOT / "docs" / "attacks.md"
KEPT = WORK / "attacks.json"

QUASI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]
METHODS = ["best", "topdown", "bottomup", "mondrian", "mondrian:box=region", "specialize", "incognito", "hilbert",
           "cluster", "nonhomogeneous", "anatomy", "bucketize"]
# Attacks that do not apply to releases of another shape.
CLASSES_ONLY = {"nonhomogeneous": ["definetti", "minimality", "composition", "intersection"],
                "anatomy": ["matching", "minimality", "composition", "intersection"],
                "bucketize": ["matching", "minimality", "composition", "intersection"]}
# Attacks that re-run the method: how long is too long for a table of figures.
ATTACK_SECONDS = 600


def write_adult(path):
    with open(DATA / "adult" / "adult_train.csv", encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file, skipinitialspace=True) if "?" not in r.values()]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(QUASI + ["occupation"])
        writer.writerows([[r[c] for c in QUASI + ["occupation"]] for r in rows])
    return len(rows)


def known_attacks():
    listed = subprocess.run([PROGRAM, "help", "settings"], capture_output=True, text=True, check=True).stdout
    return re.search(r"(?m)^attack\.names: (\S+?);?( |$)", listed).group(1).split("|")


def asked(method, k):
    return ["-k", str(k)] + ([] if method == "nonhomogeneous" else ["--l", "3"])


def run(arguments):
    """The JSON of a run, and the processor seconds that it took; None when it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([PROGRAM] + arguments, cwd=WORK, capture_output=True, text=True, timeout=ATTACK_SECONDS)
    except subprocess.TimeoutExpired:
        return None, float("nan")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode != 0:
        print(" ".join(arguments) + "\n" + done.stderr, file=sys.stderr)
        return None, seconds
    return json.loads(done.stdout), seconds


def make(method, k, name):
    columns = ["--quasi", ",".join(QUASI), "--sensitive", "occupation"]
    report, _ = run(["anonymize", "adult.csv", "-o", name, "--method", method, "--json", "-q"] + columns +
                    asked(method, k))
    return report


def attack(method, names, name, others=()):
    columns = ["--quasi", ",".join(QUASI), "--sensitive", "occupation", "--method", method]
    shape = ["--shape", "records"] if method == "nonhomogeneous" else []
    for other in others:
        shape += ["--release", other]
    report, seconds = run(["attack", "adult.csv", name, "--json", "--attacks", ",".join(names)] + columns +
                          asked(method, 5) + shape)
    return {one["name"]: one for one in report["attacks"]} if report else {}, seconds


def share(value):
    return "–" if value is None else "%.2g %%" % (100 * value) if value < 0.01 else "%.1f %%" % (100 * value)


def cell(found, name):
    """What was reached, in bold where it is more than promised."""
    one = found.get(name)
    if one is None or not one["done"]:
        return "–"
    if name == "homogeneity":
        text = "%.0f (%d certain)" % (one["worst"], one["certain"]) if one["certain"] else "%.0f" % one["worst"]
    elif name == "definetti":
        text = "%s (%s)" % (share(one["reached"]), share(one["without"]))
    elif name == "composition":
        text = "%.1f, %.0f" % (one["reached"], one["worst"])
    else:
        text = "%s, %s" % (share(one["reached"]), share(one["worst"]))
    return text if one["kept"] else "**%s**" % text


def measure(methods):
    names = known_attacks()
    single = [n for n in ("linkage", "matching", "homogeneity", "definetti") if n in names]
    more = [n for n in ("minimality", "composition", "intersection") if n in names]
    heads = {"homogeneity": "homogeneity, fewest to rule out", "definetti": "definetti (without)",
             "composition": "composition, others left"}
    head = ["method", "GCP"] + [heads.get(n, n + ", mean and worst") for n in single + more] + ["CPU s"]
    rows = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for method in methods:
        report = make(method, 5, "attacked.csv")
        if report is None:
            continue
        apply = [n for n in single + more if n not in CLASSES_ONLY.get(method, [])]
        found, seconds = attack(method, [n for n in single if n in apply], "attacked.csv")
        if "minimality" in apply:
            extra, slow = attack(method, ["minimality"], "attacked.csv")
            found.update(extra)
            seconds += slow
        several = [n for n in more if n in apply and n != "minimality"]
        if several and make(method, 7, "other.csv"):
            extra, slow = attack(method, several, "attacked.csv", ["other.csv"])
            found.update(extra)
            seconds += slow
        rows[method] = ["`%s`" % method, share(report["gcp"])] + [cell(found, n) for n in single + more] + ["%.1f" % seconds]
        KEPT.write_text(json.dumps(rows))
        print("| " + " | ".join(rows[method]) + " |", flush=True)
    table = [head, ["---"] + ["---:"] * (len(head) - 1)] + [rows[m] for m in METHODS if len(rows.get(m, [])) == len(head)]
    return "".join("| " + " | ".join(row) + " |\n" for row in table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="rewrite docs/attacks.md")
    parser.add_argument("--methods", default=",".join(METHODS))
    options = parser.parse_args()
    if not (DATA / "adult" / "adult_train.csv").exists():
        print("Adult is not at %s: attacks are not measured." % DATA)
        return
    WORK.mkdir(parents=True, exist_ok=True)
    print("attacks on %d records of Adult" % write_adult(WORK / "adult.csv"))
    table = measure(options.methods.split(","))
    if options.write:
        text, count = re.subn(r"(<!-- attacks -->\n).*?(<!-- end -->)", lambda m: m[1] + table + m[2],
                              PAGE.read_text(), flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE} has no place for the table")
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
