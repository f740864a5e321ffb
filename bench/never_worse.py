#!/usr/bin/env python3
"""`best` beside every other method of classes, on random tables of many shapes.

    never_worse.py --program SHOAL [--tables N] [--first SEED] [--records LEAST-MOST]
                   [--efforts fast,normal,high] [--population] [--real] [--log FILE] [--again FILE] [--allow N]

A seed is one table (1 to 30 columns: even, bell-shaped and long-tailed numbers, flat and deep categories, rare values,
columns that follow others, repeated records), one requirement and a run of every method. `best` at normal and high
effort must not lose more than any of them, at fast effort not more than topdown, mondrian and hilbert; nor must more
effort lose more than less, where --efforts (fast,normal) has both. --population: of each table the first part is to be
anonymized, so that enough of all fall into each class (k-map) or few enough are in it (delta-presence). --real: some columns of some
records of Adult or ACS ($SHOAL_DATA), flat, as numbers or through hierarchies. Prints the table of losses and every case that was
lost; exit code 1 if there are more than --allow. --log keeps a line of JSON for each table; --again runs the tables
that a log says were lost.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

OTHERS = ["topdown", "mondrian", "hilbert", "specialize", "cluster", "bottomup", "incognito:objective=gcp", "exact"]
FAST_OTHERS = ["topdown", "mondrian", "hilbert"]
LESS_EFFORT = {"fast": [], "normal": ["best:effort=fast"], "high": ["best:effort=fast", "best:effort=normal"]}
EXACT_MOST = 18  # records
SLOW_MOST = {"bottomup": 300000, "incognito:objective=gcp": 20000}  # records of who takes long on large tables
NEAR = 1 + 1e-9  # sums in another order


# --- Columns: each makes n texts, and how it is generalized.


def even(rng, n, base):
    most = rng.choice([3, 16, 100, 10000])
    return [str(rng.randint(1, most)) for _ in range(n)], None


def bell(rng, n, base):
    width = rng.choice([1, 4, 50])
    return [str(round(rng.gauss(100, width))) for _ in range(n)], None


def tail(rng, n, base):
    width = rng.choice([0.5, 1.5, 3])
    return [str(int(100 * math.exp(rng.gauss(0, width)))) for _ in range(n)], None


def tail_intervals(rng, n, base):
    return tail(rng, n, base)[0], "breaks:1,20,50,100,200,500,1000,2000,5000,10000,100000;50,200,1000,5000;200,5000"


def even_intervals(rng, n, base):
    most = rng.choice([50, 400])
    return [str(rng.randint(0, most)) for _ in range(n)], "widths:5,10,50"


def following(rng, n, base):
    noise = rng.choice([0.01, 0.1, 0.5])
    return [str(round(1000 * (x + noise * rng.random()))) for x in base], None


def flat(rng, n, base):
    values = rng.choice([2, 5, 30])
    weights = [1 / (1 + i) ** rng.choice([0, 1, 2]) for i in range(values)]
    return rng.choices(["v%d" % i for i in range(values)], weights, k=n), None


def rare(rng, n, base):
    share = rng.choice([0.005, 0.05])
    return ["yes" if rng.random() < share else "no" for _ in range(n)], None


def deep(rng, n, base):
    digits = rng.choice([3, 5])
    return ["".join(str(min(9, int(10 * rng.random() ** 2))) for _ in range(digits)) for _ in range(n)], "prefix:%d" % digits


def near_categories(rng, n, base):
    return ["%02d" % min(99, int(100 * x)) for x in base], "prefix:2"


SHAPES = [even, bell, tail, tail, tail_intervals, even_intervals, following, flat, flat, rare, deep, near_categories]


# --- Tables and what is asked of them.


def make_table(rng, n):
    """Columns of texts by name, and hierarchies by name."""
    count = min(30, max(1, round(math.exp(rng.uniform(0, math.log(31))))))
    shapes = rng.sample(SHAPES, rng.randint(1, 4))
    distinct = n if rng.random() < 0.8 else max(2, int(n * rng.choice([0.05, 0.3])))
    base = [rng.random() for _ in range(distinct)]
    columns, hierarchies = {}, {}
    for i in range(count):
        cells, hierarchy = rng.choice(shapes)(rng, distinct, base)
        columns["q%d" % i] = cells
        if hierarchy:
            hierarchies["q%d" % i] = hierarchy
    if distinct < n:
        rows = [rng.randrange(distinct) for _ in range(n)]
        columns = {name: [cells[i] for i in rows] for name, cells in columns.items()}
    return columns, hierarchies


def make_requirement(rng, n):
    """Options, and whether they need a sensitive column."""
    k = rng.choice([2, 3, 5, 5, 10, 10, 25, max(2, n // 10), max(2, n // 3)])
    words = ["-k", str(min(k, n // 2))]
    if rng.random() < 0.5:
        return words
    return words + rng.choice([
        ["--l", "distinct:%d" % rng.choice([2, 3, 4])], ["--l", "entropy:%g" % rng.choice([1.5, 2, 3])],
        ["--l", "%d" % rng.choice([2, 3])], ["--l", "recursive:%g:2" % rng.choice([1.5, 3])],
        ["--alpha", "%g" % rng.choice([0.3, 0.5, 0.8])], ["--t", "%g" % rng.choice([0.05, 0.2])],
        ["--t", "equal:%g" % rng.choice([0.2, 0.4])], ["--delta", "%g" % rng.choice([1, 2])],
        ["--beta", "%g" % rng.choice([1, 3])], ["--beta", "enhanced:2"]])


def make_people_requirement(rng):
    k_map, presence = ["--k-map", "%d" % rng.choice([3, 10, 40, 100])], ["--presence", "%g" % rng.choice([0.2, 0.5, 0.9])]
    return rng.choice([[], ["-k", "2"], ["-k", "5"]]) + rng.choice([k_map, k_map, presence, k_map + presence])


def write_table(path, columns, n):
    with open(path, "w", encoding="ascii") as out:
        print(",".join(columns), file=out)
        out.writelines(",".join(row) + "\n" for row in list(zip(*columns.values()))[:n])


def write_sample(seed, least, most, folder):
    """The same as write_case, of a table and the population that it is a sample of."""
    rng = random.Random("people %d" % seed)
    n = round(math.exp(rng.uniform(math.log(least), math.log(most))))
    people = max(n, round(n * rng.choice([1.2, 3, 10])))
    columns, hierarchies = make_table(rng, people)
    path, population = os.path.join(folder, "table.csv"), os.path.join(folder, "people.csv")
    write_table(path, columns, n)
    write_table(population, columns, people)
    words = make_people_requirement(rng) + ["--population", population, "--quasi", ",".join(columns)]
    for name, hierarchy in hierarchies.items():
        words += ["--hierarchy", name + "=" + hierarchy]
    return path, n, words


def write_case(seed, least, most, folder):
    """Write the table of a seed; the options of its runs."""
    rng = random.Random(seed)
    n = round(math.exp(rng.uniform(math.log(least), math.log(most))))
    columns, hierarchies = make_table(rng, n)
    words = make_requirement(rng, n)
    words += ["--quasi", ",".join(columns)]
    for name, hierarchy in hierarchies.items():
        words += ["--hierarchy", name + "=" + hierarchy]
    if len(words) > 2 and any(w in words for w in ["--l", "--alpha", "--t", "--delta", "--beta"]):
        values = rng.choice([3, 6, 14])
        follows = rng.random() < 0.5
        first = next(iter(columns.values()))
        order = {text: i for i, text in enumerate(sorted(set(first)))}
        columns["s"] = ["s%d" % ((order[first[i]] + rng.randrange(3)) % values if follows else rng.randrange(values))
                        for i in range(n)]
        words += ["--sensitive", "s"]
    if rng.random() < 0.1:
        people = max(2, int(n * 0.6))
        columns["p"] = [str(rng.randrange(people)) for _ in range(n)]
        words += ["--person", "p"]
    path = os.path.join(folder, "table.csv")
    write_table(path, columns, n)
    return path, n, words


def read_real(name):
    """The names of the columns, and the records that lack nothing."""
    with open(os.path.join(os.environ["SHOAL_DATA"], name), encoding="ascii") as lines:
        head, *rows = [line.strip().split(",") for line in lines]
    return head, [row for row in rows if len(row) == len(head) and "?" not in row]


def write_real(seed, least, most, folder):
    """The same as write_case, of columns and records of real data."""
    rng = random.Random("real %d" % seed)
    is_adult = rng.random() < 0.5
    head, rows = read_real("adult/adult.csv" if is_adult else "acs/acs.csv")
    n = min(len(rows), round(math.exp(rng.uniform(math.log(least), math.log(most)))))
    rows = rng.sample(rows, n)
    sensitive = rng.choice(["occupation", "class"] if is_adult else ["inctot", "educ"])
    quasi = [name for name in head if name != sensitive]
    quasi = rng.sample(quasi, rng.randint(2, min(12, len(quasi))))
    words = make_requirement(rng, n) + ["--quasi", ",".join(quasi)]
    if len(words) > 4:
        words += ["--sensitive", sensitive]
    for name in quasi:
        path = os.path.join(os.environ["SHOAL_DATA"], "adult/hierarchies", name + ".csv")
        if is_adult and os.path.exists(path) and rng.random() < 0.6:
            words += ["--hierarchy", name + "=" + path]
        elif rng.random() < 0.3:
            words += ["--hierarchy", name + "=flat"]
    path = os.path.join(folder, "table.csv")
    write_table(path, dict(zip(head, zip(*rows))), n)
    return path, n, words


# --- Runs.


def run(program, path, folder, words, method):
    """GCP of a method, or None where it refuses or takes too long."""
    command = [program, "anonymize", path, "-o", os.path.join(folder, "release.csv"), "--json", "--quiet", "--threads", "1"]
    try:
        done = subprocess.run(command + words + ["--method", method], capture_output=True, timeout=900, check=False)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)["gcp"] if done.returncode == 0 else None


def run_case(arguments, seed, efforts):
    with tempfile.TemporaryDirectory() as folder:
        write = write_sample if arguments.population else write_real if arguments.real else write_case
        path, n, words = write(seed, *arguments.range, folder)
        losses = {}
        for method in OTHERS if efforts != ["fast"] else FAST_OTHERS:
            if (method == "exact" and n > EXACT_MOST) or n > SLOW_MOST.get(method, n):
                continue
            losses[method] = run(arguments.program, path, folder, words, method)
        if all(losses.get(m) is None for m in FAST_OTHERS):
            return {"seed": seed, "refused": True}
        for effort in efforts:
            losses["best:effort=" + effort] = run(arguments.program, path, folder, words, "best:effort=" + effort)
        return {"seed": seed, "records": n, "words": words, "losses": losses}


def find_lost(case):
    """(effort, method, ratio) of every comparison that best lost."""
    lost = []
    for key, own in case.get("losses", {}).items():
        if key.startswith("best:"):
            effort = key.split("=")[1]
            for other in (FAST_OTHERS if effort == "fast" else OTHERS) + LESS_EFFORT[effort]:
                loss = case["losses"].get(other)
                if loss is not None and (own is None or own > loss * NEAR):
                    lost.append((effort, other, own / loss if own is not None and loss else math.inf))
    return lost


def summarize(cases):
    efforts = sorted({k for c in cases for k in c.get("losses", {}) if k.startswith("best:")})
    print("| best against | tables |", " | ".join("lost at %s | mean ratio" % e.split("=")[1] for e in efforts), "|")
    for other in OTHERS:
        told = [c["losses"] for c in cases if c.get("losses", {}).get(other) is not None]
        cells = []
        for effort in efforts:
            ratios = [t[effort] / t[other] for t in told if t.get(effort) is not None and t[other] > 0]
            lost = sum(r > NEAR for r in ratios) + sum(t.get(effort) is None or (t[other] == 0 < t[effort]) for t in told)
            cells.append("%d | %.3f" % (lost, sum(ratios) / len(ratios) if ratios else 1))
        print("| %s | %d |" % (other, len(told)), " | ".join(cells), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--records", default="20-3000")
    parser.add_argument("--efforts", default="fast,normal")
    parser.add_argument("--population", action="store_true")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--log")
    parser.add_argument("--again")
    parser.add_argument("--allow", type=int, default=0)
    arguments = parser.parse_args()
    arguments.range = [int(x) for x in arguments.records.split("-")]
    seeds = range(arguments.first, arguments.first + arguments.tables)
    if arguments.again:
        with open(arguments.again, encoding="utf-8") as lines:
            seeds = [c["seed"] for c in map(json.loads, lines) if find_lost(c)]
    cases, lost = [], []
    log = open(arguments.log, "a", encoding="utf-8") if arguments.log else None
    for seed in seeds:
        case = run_case(arguments, seed, arguments.efforts.split(","))
        cases.append(case)
        for effort, other, ratio in find_lost(case):
            lost.append(seed)
            print("seed %d: best at %s loses %.4f times what %s does (%d records)"
                  % (seed, effort, ratio, other, case["records"]), case["words"], flush=True)
        if log:
            print(json.dumps(case), file=log, flush=True)
    summarize(cases)
    print("%d tables, %d refused by all, %d lost" % (len(cases), sum("refused" in c for c in cases), len(set(lost))))
    return 1 if len(set(lost)) > arguments.allow else 0


if __name__ == "__main__":
    sys.exit(main())
