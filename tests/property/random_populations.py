#!/usr/bin/env python3
"""Samples of random populations through the program: every class of what it writes is held against
the population by counting, record by record, who is not excluded by the released texts. `best` loses
no more than another method, and nobody less than the bound.

    random_populations.py --program PATH --seeds N
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds

REGIONS = {"n1": "north", "n2": "north", "s1": "south", "s2": "south", "s3": "south", "w1": "west"}
METHODS = ("topdown", "bottomup", "mondrian", "specialize", "best")


def draw_person(draw):
    """Age, region and sex; ages and regions crowd around a few values."""
    return (int(draw.gauss(45, 12)), draw.choice(list(REGIONS)[: draw.randint(1, 6)]), draw.choice("fm"))


def write_table(path, people):
    with open(path, "w", encoding="utf-8") as file:
        file.write("age,region,sex\n")
        file.writelines("%d,%s,%s\n" % person for person in people)


def covers(cells, person):
    """Whether a record that was released as these texts may be this person."""
    age, region, sex = cells
    low, high = age.strip("[]").split("..") if ".." in age else (age, age)
    return (
        int(low) <= person[0] <= int(high)
        and (region == "*" or region in (person[1], REGIONS[person[1]]))
        and sex in ("*", person[2])
    )


def surround(people):
    """The texts of the smallest class with all of them."""
    ages, regions, sexes = (set(values) for values in zip(*people))
    parents = {REGIONS[region] for region in regions}
    region = regions.pop() if len(regions) == 1 else parents.pop() if len(parents) == 1 else "*"
    return "[%d..%d]" % (min(ages), max(ages)), region, sexes.pop() if len(sexes) == 1 else "*"


def read_classes(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")[1:-1]
    return collections.Counter(tuple(line.split(",")) for line in lines)


def find_fault(asked, classes, population):
    for cells, size in classes.items():
        people = sum(covers(cells, person) for person in population)
        if people < asked.get("k_map", 0):
            return "a class of %d people, k-map %d" % (people, asked["k_map"])
        if not asked.get("least", 0) <= size / people <= asked.get("most", 1):
            return "a share of %d in %d" % (size, people)
        if size < asked.get("k", 0):
            return "a class of %d records" % size
    return None


def draw_request(draw):
    asked = {}
    if draw.random() < 0.7:
        asked["k_map"] = draw.choice((1, 3, 8, 20))
    if draw.random() < 0.5 or not asked:
        asked["most"] = draw.choice((0.3, 0.5, 0.8, 1))
        asked["least"] = draw.choice((0, 0, 0.02))
    if draw.random() < 0.3:
        asked["k"] = draw.choice((2, 4))
    return asked


def build_options(asked):
    options = []
    if "k_map" in asked:
        options += ["--k-map", str(asked["k_map"])]
    if "most" in asked:
        least = "%g:" % asked["least"] if asked["least"] else ""
        options += ["--presence", "%s%g" % (least, asked["most"])]
    if "k" in asked:
        options += ["-k", str(asked["k"])]
    return options


def run_method(command, method):
    return subprocess.run(
        command + ["--method", method], capture_output=True, text=True, timeout=120, check=False
    )


def run_one(program, seed, folder):
    """Returns what went wrong, or None; and whether a release was made."""
    draw = random.Random(seed)
    population = [draw_person(draw) for _ in range(draw.choice((30, 200, 900)))]
    sample = draw.sample(population, draw.randint(1, len(population)))
    asked = draw_request(draw)
    names = {name: os.path.join(folder, name) for name in ("people.csv", "sample.csv", "out.csv", "region.csv")}
    write_table(names["people.csv"], population)
    write_table(names["sample.csv"], sample)
    with open(names["region.csv"], "w", encoding="utf-8") as file:
        file.writelines("%s;%s;*\n" % pair for pair in REGIONS.items())
    if os.path.exists(names["out.csv"]):
        os.remove(names["out.csv"])
    command = [program, "anonymize", names["sample.csv"], "-o", names["out.csv"], "--quasi", "age,region,sex"]
    command += ["--hierarchy", "region=" + names["region.csv"], "--population", names["people.csv"]]
    command += ["--measure", "bound", "--quiet", "--json"] + build_options(asked)
    method, other = draw.sample(METHODS, 2)
    done = run_method(command, method)
    if done.returncode == 3:
        whole = {surround(sample): len(sample)}
        if find_fault(asked, whole, population) is None:
            return "refused although one class would do: " + done.stderr, False
        return ("a file after a refusal" if os.path.exists(names["out.csv"]) else None), False
    if done.returncode != 0:
        return "exit %d: %s" % (done.returncode, done.stderr), False
    classes = read_classes(names["out.csv"])
    report = json.loads(done.stdout)
    if sum(classes.values()) != len(sample) or report["classes"] != len(classes):
        return "records or classes are not those of the file", True
    if report["gcp"] < report["bound"]["gcp"] - 1e-12:
        return "%s loses less than the bound" % method, True
    if method == "best":
        rival = json.loads(run_method(command, other).stdout)
        if report["gcp"] > rival["gcp"] + 1e-12:
            return "best loses %g, %s %g" % (report["gcp"], other, rival["gcp"]), True
    return find_fault(asked, classes, population), True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=60)
    args = parser.parse_args()
    tables = seeds.span(0, args.seeds)
    made = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in tables:
            fault, is_made = run_one(args.program, seed, folder)
            made += is_made
            if fault:
                print("seed %d: %s" % (seed, fault), file=sys.stderr)
                return 1
    if made < len(tables) // 4:
        print("only %d releases were made: the test says little" % made, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
