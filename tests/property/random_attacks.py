#!/usr/bin/env python3
"""Random tables through `shoal attack`; what attackers reach computed again, slowly.

    random_attacks.py --program SHOAL [--seeds N] [--first S] [--keep]
    random_attacks.py --program SHOAL --promises N [--first S]
    random_attacks.py --program SHOAL --errors

Shares nothing with the program. Of each release of a small table: links by every row that covers a record; values
that must be ruled out by counting; pairs in perfect matchings by looking for a matching with each pair, and beliefs by
permanents; chances of presence by adding up; de Finetti's guesses by the definition in docs/attacks.md, dense and
without any index. Persons count as persons.

--promises: N random tables by every method. Attackers whose knowledge a requirement covers must not beat its bound:
no figure of linkage, matching and homogeneity is beyond its promise, and attackers who are drawn here, row by row
and guess by guess, do not hit more often than promised by more than four standard deviations in all.

--errors: the mean of linkage with errors over many seeds against its expectation, by going through all errors.
"""
import argparse
import csv
import itertools
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

sys.dont_write_bytecode = True

import seeds  # noqa: E402

CLASSES = ["best:effort=fast", "topdown", "bottomup", "mondrian", "mondrian:mode=relaxed", "specialize", "incognito",
           "hilbert", "cluster"]
BUCKETS = ["anatomy", "bucketize"]
TOWNS = ["A", "B", "C"]
ILLS = ["flu", "gout", "HIV", "asthma"]


def run(command, folder, codes=(0,)):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode not in codes:
        raise AssertionError("%s\nends with %d\n%s" % (" ".join(command), done.returncode, done.stderr))
    return done


def write(path, head, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows(rows)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# --- What a release shows.


def parse(text, is_number):
    """The set of values a cell covers, as a test of one."""
    if text == "*":
        return lambda value: True
    if is_number:
        if text.startswith("["):
            low, high = text[1:-1].split("..")
            return lambda value: float(low) <= float(value) <= float(high)
        return lambda value: float(value) == float(text)
    if text.startswith("{"):
        return lambda value: value in text[1:-1].split("|")
    return lambda value: value == text


class Release:
    """Rows by their tests; groups are classes by text, or buckets."""

    def __init__(self, folder, name, quasi):
        self.rows = read(os.path.join(folder, name))
        self.quasi = quasi
        self.by_bucket = "bucket" in self.rows[0]
        self.tests = [[parse(row[c], c == "age") for c in quasi] for row in self.rows]
        if self.by_bucket:
            self.group_of = [row["bucket"] for row in self.rows]
            self.values = defaultdict(Counter)
            for line in read(os.path.join(folder, name.replace(".csv", ".sensitive.csv"))):
                self.values[line["bucket"]][line["value"]] += int(line["count"])
        else:
            self.group_of = [tuple(row[c] for c in quasi) for row in self.rows]
            self.values = defaultdict(Counter)
            for row, group in zip(self.rows, self.group_of):
                self.values[group][row["ill"]] += 1

    def covers(self, row, record):
        return all(test(record[c]) for test, c in zip(self.tests[row], self.quasi))


# --- The attacks, by definition.


def sum_up(table, figures, worst, mean=False):
    """Mean over people: of several records of a person the worst, or their mean."""
    people = defaultdict(list)
    for i, figure in enumerate(figures):
        people[table[i].get("who", i)].append(figure)
    joined = [sum(f) / len(f) if mean else worst(f) for f in people.values()]
    return sum(joined) / len(joined), worst(figures), len(people)


def link(table, release, persons_of_rows):
    chances = []
    for record in table:
        rows = [j for j in range(len(release.rows)) if release.covers(j, record)]
        candidates = {persons_of_rows[j] for j in rows} if persons_of_rows else rows
        chances.append(1 / len(candidates))
    return sum_up(table, chances, max)


def rule_out(table, release, row_of):
    figures = []
    for i, record in enumerate(table):
        if release.by_bucket:
            groups = {release.group_of[j] for j in range(len(release.rows)) if release.covers(j, record)}
            figures.append(min(len(release.values[g]) for g in groups) - 1)
        else:
            figures.append(len(release.values[release.group_of[row_of[i]]]) - 1)
    return sum_up(table, figures, min)


def has_matching(edges, taken_left, taken_right):
    """Whether all but the taken can be matched, by augmenting paths."""
    match = {}

    def augment(i, seen):
        for j in edges[i]:
            if j != taken_right and j not in seen:
                seen.add(j)
                if j not in match or augment(match[j], seen):
                    match[j] = i
                    return True
        return False

    return all(augment(i, set()) for i in range(len(edges)) if i != taken_left)


def permanents(edges):
    """Of each pair its share of all perfect matchings, by listing the matchings."""
    shares = defaultdict(int)
    total = 0

    def go(i, used, pairs):
        nonlocal total
        if i == len(edges):
            total += 1
            for pair in pairs:
                shares[pair] += 1
            return
        for j in edges[i]:
            if j not in used:
                go(i + 1, used | {j}, pairs + [(i, j)])

    go(0, frozenset(), [])
    return {pair: count / total for pair, count in shares.items()}


def match(table, release, persons_of_rows):
    edges = [[j for j in range(len(release.rows)) if release.covers(j, record)] for record in table]
    chances = []
    for i, rows in enumerate(edges):
        left = [j for j in rows if has_matching(edges, i, j)]
        chances.append(1 / len({persons_of_rows[j] for j in left} if persons_of_rows else left))
    return sum_up(table, chances, max), edges


def seek(table, release, population, persons_of_rows):
    shares = {}
    boxes = defaultdict(list)
    for j, row in enumerate(release.rows):
        boxes[tuple(row[c] for c in release.quasi)].append(j)
    for box, rows in boxes.items():
        people = sum(release.covers(rows[0], person) for person in population)
        there = len({persons_of_rows[j] for j in rows}) if persons_of_rows else len(rows)
        shares[box] = there / people
    figures = []
    for record in table:
        figures.append(min(1, sum(s for box, s in shares.items() if release.covers(boxes[box][0], record))))
    return sum_up(table, figures, max)


def learn(table, release, row_of):
    """De Finetti: shares of right guesses, before and after learning. Members are records of classes, rows of buckets."""
    quasi = release.quasi
    if release.by_bucket:
        cells = [tuple(row[c] for c in quasi) for row in release.rows]
        group_of = release.group_of
    else:
        cells = [tuple(record[c] for c in quasi) for record in table]
        group_of = [release.group_of[row_of[i]] for i in range(len(table))]
    groups = defaultdict(list)
    for m, group in enumerate(group_of):
        groups[group].append(m)
    domain = [sorted({record[c] for record in table}) for c in quasi]
    weights = [{v: n / len(groups[g]) for v, n in release.values[g].items()} for g in group_of]

    def judge():
        rights = []
        for i, record in enumerate(table):
            if release.by_bucket:
                own = [m for m in range(len(cells)) if cells[m] == tuple(record[c] for c in quasi)]
                belief = Counter()
                for m in own:
                    belief.update(weights[m])
            else:
                belief = weights[i]
            most = max(belief.values())
            ties = [v for v in belief if belief[v] >= most - 1e-9 * sum(belief.values())]
            rights.append(1 / len(ties) if record["ill"] in ties else 0)
        return sum_up(table, rights, max, mean=True)[0]

    start = judge()
    for _ in range(30):
        counts = defaultdict(float)
        totals = defaultdict(float)
        for m, own in enumerate(weights):
            for v, w in own.items():
                totals[v] += w
                for c in range(len(quasi)):
                    counts[c, cells[m][c], v] += w
        new = []
        for m, group in enumerate(group_of):
            own = {}
            for v, n in release.values[group].items():
                own[v] = n
                for c in range(len(quasi)):
                    own[v] *= (counts[c, cells[m][c], v] + 1) / (totals[v] + len(domain[c]))
            top = max(own.values())
            new.append({v: w / top for v, w in own.items()})
        for group, members in groups.items():
            for _ in range(10):
                for v, n in release.values[group].items():
                    total = sum(new[m][v] for m in members)
                    for m in members:
                        new[m][v] *= n / total
                for m in members:
                    total = sum(new[m].values())
                    for v in new[m]:
                        new[m][v] /= total
        change = max(abs(new[m][v] - weights[m][v]) for m in range(len(new)) for v in new[m])
        weights = new
        if change < 1e-4:
            break
    return start, judge()


# --- Tables.


def draw_table(rng, least=6, most=11):
    has_persons = rng.random() < 0.3
    count = rng.randint(least, most)
    ages = rng.choice([3, 6, 30])
    table = []
    for i in range(count):
        record = {"age": str(20 + rng.randrange(ages)), "town": rng.choice(TOWNS), "ill": rng.choice(ILLS[:rng.randint(2, 4)])}
        if has_persons:
            record["who"] = "p%d" % rng.randrange(max(2, count - 2))
        table.append(record)
    return table


def close(a, b):
    return abs(a - b) < 1e-9


class Case:
    """A table, a requirement and what came of it; says what is wrong."""

    def __init__(self, program, folder, table, options):
        self.program, self.folder, self.table = program, folder, table
        self.has_persons = "who" in table[0]
        head = ["age", "town", "ill"] + (["who"] if self.has_persons else [])
        write(os.path.join(folder, "in.csv"), head, [[r[c] for c in head] for r in table])
        self.columns = ["--quasi", "age,town", "--sensitive", "ill", "--type", "town=string"]
        self.columns += ["--person", "who"] if self.has_persons else []
        self.options = options

    def anonymize(self, method, keep_order):
        command = [self.program, "anonymize", "in.csv", "-o", "out.csv", "--method", method, "-q"] + self.columns + \
            self.options + (["--keep-order"] if keep_order else [])
        for name in ("out.csv", "out.sensitive.csv"):
            if os.path.exists(os.path.join(self.folder, name)):
                os.unlink(os.path.join(self.folder, name))
        return run(command, self.folder, (0, 1, 2, 3)).returncode == 0

    def attack(self, *more):
        command = [self.program, "attack", "in.csv", "out.csv", "--json"] + self.columns + self.options + list(more)
        found = json.loads(run(command, self.folder).stdout)["attacks"]
        return {one["name"]: one for one in found}


def compare(found, name, expected):
    mean, worst, people = expected
    one = found[name]
    assert one["done"], (name, one)
    assert close(one["reached"], mean), (name, one["reached"], mean)
    assert close(one["worst"], worst), (name, one["worst"], worst)
    assert one["people"] == people, (name, one["people"], people)


def check_classes(case, rng, by_record):
    release = Release(case.folder, "out.csv", ["age", "town"])
    table = case.table
    row_of = list(range(len(table)))
    persons = [record["who"] for record in table] if case.has_persons else None
    more = ["--shape", "records"] if by_record else []
    population = table * 1 + [{"age": str(20 + rng.randrange(30)), "town": rng.choice(TOWNS)} for _ in range(10)]
    population += [dict(record) for record in table if rng.random() < 0.5]
    if case.has_persons: # whose they are, too
        for i, person in enumerate(population):
            population[i] = dict(person, who=person.get("who", "q%d" % i))
    head = ["age", "town"] + (["who"] if case.has_persons else [])
    write(os.path.join(case.folder, "people.csv"), head, [[p[c] for c in head] for p in population])
    found = case.attack("--population", "people.csv", *more)
    compare(found, "linkage", link(table, release, persons))
    expected, edges = match(table, release, persons)
    compare(found, "matching", expected)
    note = found["matching"].get("note", "")
    if len(table) <= 8:
        surest = max(permanents(edges).values())
        assert note.endswith("%.6f." % surest), (note, surest)
    if not by_record:
        compare(found, "homogeneity", rule_out(table, release, row_of))
        start, end = learn(table, release, row_of)
        assert close(found["definetti"]["without"], start), (found["definetti"], start)
        assert close(found["definetti"]["reached"], end), (found["definetti"], end)
    if not case.has_persons:
        compare(found, "presence", seek(table, release, population, persons))


def check_buckets(case):
    release = Release(case.folder, "out.csv", ["age", "town"])
    found = case.attack()
    compare(found, "linkage", link(case.table, release, None))
    compare(found, "homogeneity", rule_out(case.table, release, None))
    start, end = learn(case.table, release, None)
    assert close(found["definetti"]["without"], start), (found["definetti"], start)
    assert close(found["definetti"]["reached"], end), (found["definetti"], end)
    assert not found["matching"]["done"]


def check_seed(program, folder, seed):
    rng = random.Random(seed)
    case = Case(program, folder, draw_table(rng), ["-k", str(rng.randint(1, 3))])
    done = 0
    if rng.random() < 0.5:
        case.options += ["--l", rng.choice(["distinct:2", "1.3", "2"])]
    for method in rng.sample(CLASSES, 3):
        if case.anonymize(method, True):
            check_classes(case, rng, False)
            done += 1
    if not case.has_persons:
        for method in BUCKETS:
            if case.anonymize(method, False):
                check_buckets(case)
                done += 1
        case.options = case.options[:2]
        if case.anonymize("nonhomogeneous", False):
            check_classes(case, rng, True)
            done += 1
    return done


# --- Promises.


class Hits:
    """Hits of attackers who are drawn, against the most that they may expect."""

    def __init__(self):
        self.hits, self.bound, self.variance, self.tries = Counter(), Counter(), Counter(), Counter()

    def add(self, name, is_hit, bound):
        self.hits[name] += is_hit
        self.bound[name] += bound
        self.variance[name] += bound * (1 - bound)
        self.tries[name] += 1

    def check(self):
        for name in sorted(self.hits):
            limit = self.bound[name] + 4 * math.sqrt(self.variance[name]) + 1e-9
            print("%s: %d of %d right, promised %.1f, limit %.1f" %
                  (name, self.hits[name], self.tries[name], self.bound[name], limit))
            assert self.hits[name] <= limit, name


def check_covered(found, names, what):
    for name in names:
        assert found[name]["beyond"] == 0, (what, name, found[name])


def draw_attackers(case, rng, hits, method, k, l, by_record):
    """Attackers who know the quasi-identifier, drawn: they link at random among the rows that fit, and guess the
    commonest value of the class or bucket."""
    release = Release(case.folder, "out.csv", ["age", "town"])
    for i, record in enumerate(case.table):
        rows = [j for j in range(len(release.rows)) if release.covers(j, record)]
        if not release.by_bucket:
            j = rng.choice(rows)
            right = release.rows[j]["ill"] == record["ill"] if by_record else j == i
            hits.add("%s linkage" % method, right, 1 / k)
        if l and not by_record:
            group = release.group_of[rng.choice(rows) if release.by_bucket else i]
            most = max(release.values[group].values())
            guess = rng.choice([v for v, n in release.values[group].items() if n == most])
            hits.add("%s guess" % method, guess == record["ill"], 1 / l)


def check_promises(program, folder, seed, hits):
    """One table by every method; how many releases there were."""
    rng = random.Random(seed)
    table = [dict(r) for r in draw_table(rng, 8, 24)]
    for record in table:
        record.pop("who", None)
    k, l = rng.randint(2, 4), rng.choice([1.5, 2])
    case = Case(program, folder, table, ["-k", str(k), "--l", str(l)])
    done = 0
    for method in CLASSES + BUCKETS:
        by_bucket = method in BUCKETS
        if case.anonymize(method, not by_bucket):
            more = ["--errors", "0.3"] if rng.random() < 0.2 else ["--known", "0.5"] if rng.random() < 0.2 else []
            found = case.attack(*more)
            check_covered(found, ["linkage", "homogeneity"], method)
            if found["matching"]["done"]:
                check_covered(found, ["matching"], method)
            assert found["definetti"]["promise"] <= 1 / l + 1e-9
            if not by_bucket:
                assert found["definetti"]["without"] <= 1 / l + 1e-9, (method, found["definetti"])
            draw_attackers(case, rng, hits, method, k, l, False)
            done += 1
    # Whose values a row carries can be told where all values differ.
    for i, record in enumerate(table):
        record["ill"] = "v%d" % i
    case = Case(program, folder, table, ["-k", str(k)])
    if case.anonymize("nonhomogeneous", False):
        check_covered(case.attack("--shape", "records"), ["linkage", "matching"], "nonhomogeneous")
        draw_attackers(case, rng, hits, "nonhomogeneous", k, None, True)
        done += 1
    return done


# --- Errors.


def check_errors(program, folder):
    """Linkage with errors on one table: expectation by going through every cell that may be wrong and every record
    that its value may come from."""
    rng = random.Random(7)
    table = [{"age": str(20 + rng.randrange(6)), "town": rng.choice(TOWNS), "ill": "x"} for _ in range(12)]
    case = Case(program, folder, table, ["-k", "2"])
    assert case.anonymize("mondrian", True)
    release = Release(folder, "out.csv", ["age", "town"])
    share = 0.4

    def chance(i, cells):
        wrong = [sum(not test(value) for test, value in zip(tests, cells)) for tests in release.tests]
        best = [j for j, n in enumerate(wrong) if n == min(wrong)]
        own = [j for j in best if release.group_of[j] == release.group_of[i]]
        return 1 / len(best) if own else 0

    expected = 0
    for i, record in enumerate(table):
        choices = []
        for c in ("age", "town"):
            outcomes = Counter({record[c]: 1 - share})
            for other in table:
                outcomes[other[c]] += share / len(table)
            choices.append(list(outcomes.items()))
        for (age, p), (town, q) in itertools.product(*choices):
            expected += p * q * chance(i, (age, town)) / len(table)
    means = []
    for seed in range(300):
        found = case.attack("--attacks", "linkage", "--errors", str(share), "--seed", str(seed + 1))["linkage"]
        assert found["low"] <= found["reached"] <= found["high"] and found["people"] == len(table)
        means.append(found["reached"])
    mean = sum(means) / len(means)
    deviation = math.sqrt(sum((m - mean) ** 2 for m in means) / (len(means) - 1) / len(means))
    print("with errors: %.4f drawn, %.4f expected, deviation %.4f" % (mean, expected, deviation))
    assert abs(mean - expected) < 4 * deviation
    sizes = [case.attack("--attacks", "linkage", "--known", "0.25", "--seed", str(s))["linkage"]["people"]
             for s in range(1, 101)]
    assert abs(sum(sizes) / 100 - 3) < 4 * math.sqrt(12 * 0.25 * 0.75 / 100), sizes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--promises", type=int)
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--keep", action="store_true")
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    folder = tempfile.mkdtemp()
    hits, done = Hits(), 0
    seed = arguments.first
    try:
        if arguments.errors:
            check_errors(program, folder)
            return
        tables = seeds.span(arguments.first, arguments.promises or arguments.seeds)
        for seed in tables:
            done += check_promises(program, folder, seed, hits) if arguments.promises else \
                check_seed(program, folder, seed)
        hits.check()
        print("%d tables, %d releases" % (len(tables), done))
        assert done >= len(tables)
    except AssertionError as error:
        print("seed %d: %s" % (seed, error))
        sys.exit(1)
    finally:
        if arguments.keep:
            print(folder)
        else:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
