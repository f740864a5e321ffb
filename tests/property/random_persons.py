#!/usr/bin/env python3
"""Random tables with one to six records per person through the program: every class of what it
writes is held against its requirements by counting persons, by definition (docs/requirements.md).

    random_persons.py --program PATH --releases N [--first SEED] [--memory]

Nothing here knows how Shoal works. Each record has a number that is released on purpose, by which
its row is found again; the person is looked up in the original. A run that is refused as impossible
must be: the whole table as one class must not hold. With --memory one table in forty is so large that
it is worked on in parts.
"""
import argparse
import collections
import csv
import fractions
import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import seeds

TOLERANCE = 1e-9
ILLS = ("cold", "flu", "gout", "hiv", "none", "tb")
BRANCH = {"cold": "light", "flu": "light", "none": "light", "gout": "heavy", "hiv": "heavy", "tb": "heavy"}
METHODS = (
    "best", "best:effort=fast", "topdown", "bottomup", "mondrian", "mondrian:mode=relaxed",
    "mondrian:cuts=children", "mondrian:finish=carve", "specialize", "specialize:numeric=halves",
    "incognito", "hilbert", "cluster", "cluster:adjust=split", "exact",
    "bucketize", "bucketize:from=topdown", "bucketize:from=bottomup", "bucketize:from=best",
)
DIVIDED = ("best:effort=fast", "topdown", "bottomup", "mondrian", "specialize", "hilbert", "cluster")
IMPOSSIBLE = 3
LARGE_EVERY = 40
REFUSALS = ("cannot honour", "not about a population", "came to look alike", "cannot be cut further")


# --- Tables. ---

def draw_table(draw, least, most):
    """Records of persons who have one to six: number, person, age, zip, sex, income, ill, own k."""
    records = []
    size = draw.randint(least, most)
    spread = draw.choice((0, 2, 30))
    repeats = draw.choice((1, 2, 6))
    ills = ILLS[: draw.randint(2, 6)]
    while len(records) < size:
        person = "p%03d" % draw.randrange(1000) if draw.random() < 0.1 else "q%04d" % len(records)
        age, code, sex = draw.randint(20, 60), "537%02d" % draw.randint(0, 12), draw.choice("fm")
        usual = draw.choice(ills)
        for _ in range(draw.randint(1, repeats)):
            ill = usual if draw.random() < 0.4 else draw.choice(ills)
            records.append([None, person, age + draw.randint(0, spread), code, sex,
                            draw.randint(1, 9), ill, draw.randint(1, 4)])
    draw.shuffle(records)
    for number, record in enumerate(records):
        record[0] = "r%04d" % number
    return records


HEADER = ("number", "person", "age", "zip", "sex", "income", "ill", "own")
NUMBER, PERSON, AGE, ZIP, SEX, INCOME, ILL, OWN = range(8)


def write_csv(path, header, records):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(records)


# --- Requirements by definition; a class is a list of records. ---

def count_persons(records):
    return len({r[PERSON] for r in records})


def count_values(records, column):
    """c(v): distinct persons with at least one record of the value."""
    return collections.Counter(v for _, v in {(r[PERSON], r[column]) for r in records})


def shares(records, column):
    counts = count_values(records, column)
    total = sum(counts.values())
    return {v: fractions.Fraction(c, total) for v, c in counts.items()}


def most_frequent(records, column):
    return fractions.Fraction(max(count_values(records, column).values()), count_persons(records))


def js(p, q):
    total = 0.0
    for v in set(p) | set(q):
        a, b = float(p.get(v, 0)), float(q.get(v, 0))
        m = (a + b) / 2
        total += (a * math.log(a / m) if a else 0) + (b * math.log(b / m) if b else 0)
    return total / 2


def ordered(p, q):
    values = sorted(q)
    if len(values) < 2:
        return 0.0
    run = sums = fractions.Fraction(0)
    for v in values[:-1]:
        run += p.get(v, 0) - q[v]
        sums += abs(run)
    return float(sums / (len(values) - 1))


def hierarchical(p, q):
    """Leaves below light and heavy: half of the way within a branch, all of it between."""
    total = 0.0
    across = sum((p.get(v, 0) - q[v] for v in q if BRANCH[v] == "light"), fractions.Fraction(0))
    for branch in ("light", "heavy"):
        plus = sum(max(p.get(v, 0) - q[v], 0) for v in q if BRANCH[v] == branch)
        minus = sum(max(q[v] - p.get(v, 0), 0) for v in q if BRANCH[v] == branch)
        total += 0.5 * float(min(plus, minus))
    return total + float(abs(across))


def find_requirement(draw, records, population):
    """Arguments, and what a class must meet: a function of (class, whole table)."""
    kind = draw.choice(("k", "k", "own", "alpha", "alpha1", "alpha2", "limits", "l", "distinct", "entropy",
                        "recursive", "js", "equal", "ordered", "hierarchical", "delta", "beta",
                        "enhanced", "k_map", "presence"))
    whole = records
    ills = sorted({r[ILL] for r in records})
    if kind == "k":
        k = draw.randint(1, 5)
        return kind, ["-k", str(k)], lambda e: count_persons(e) >= k
    if kind == "own":
        return kind, ["--k-column", "own"], lambda e: count_persons(e) >= max(r[OWN] for r in e)
    if kind == "alpha":
        a = draw.choice((0.5, 0.6, 0.75))
        return kind, ["--alpha", "ill=%s" % a], lambda e: most_frequent(e, ILL) <= fractions.Fraction(str(a))
    if kind in ("alpha1", "alpha2"):
        named = draw.sample(ills, 1 if kind == "alpha1" else min(2, len(ills)))
        a = draw.choice((0.4, 0.5, 0.75))

        def holds(e):
            with_any = {r[PERSON] for r in e if r[ILL] in named}
            return fractions.Fraction(len(with_any), count_persons(e)) <= fractions.Fraction(str(a))

        return kind, ["--alpha", "ill=%s:%s" % (a, ",".join(named))], holds
    if kind == "limits":
        named = draw.sample(ills, min(2, len(ills)))
        limits = {v: draw.choice((0.4, 0.5, 0.75)) for v in named}

        def holds(e):
            counts = count_values(e, ILL)
            return all(fractions.Fraction(counts[v], count_persons(e)) <= fractions.Fraction(str(a))
                       for v, a in limits.items())

        return kind, ["--alpha", "ill=limits:" + ",".join('"%s"=%s' % i for i in limits.items())], holds
    if kind == "l":
        l = draw.choice((1.5, 2, 3))
        return kind, ["--l", "ill=%s" % l], lambda e: 1 / most_frequent(e, ILL) >= fractions.Fraction(str(l))
    if kind == "distinct":
        l = draw.randint(1, 3)
        return kind, ["--l", "ill=distinct:%d" % l], lambda e: len({r[ILL] for r in e}) >= l
    if kind == "entropy":
        l = draw.choice((1.5, 2, 2.5))

        def holds(e):
            return -sum(float(s) * math.log(s) for s in shares(e, ILL).values()) >= math.log(l) - TOLERANCE

        return kind, ["--l", "ill=entropy:%s" % l], holds
    if kind == "recursive":
        c, l = draw.choice((1, 2, 3)), draw.randint(1, 3)

        def holds(e):
            counts = sorted(count_values(e, ILL).values(), reverse=True)
            return counts[0] < c * sum(counts[l - 1:])

        return kind, ["--l", "ill=recursive:%d:%d" % (c, l)], holds
    if kind in ("js", "equal", "ordered", "hierarchical"):
        column = INCOME if kind == "ordered" else ILL
        t = draw.choice((0.1, 0.2, 0.35))
        q = shares(whole, column)
        distance = {"js": js, "ordered": ordered, "hierarchical": hierarchical,
                    "equal": lambda p, q: float(sum(abs(p.get(v, 0) - q[v]) for v in q) / 2)}[kind]
        return (kind, ["--t", "%s=%s:%s" % (HEADER[column], kind, t)],
                lambda e: distance(shares(e, column), q) <= t + TOLERANCE)
    if kind == "delta":
        d = draw.choice((0.7, 1.5))
        q = shares(whole, ILL)

        def holds(e):
            p = shares(e, ILL)
            return all(v in p and abs(math.log(p[v] / q[v])) <= d + TOLERANCE for v in q)

        return kind, ["--delta", "ill=%s" % d], holds
    if kind in ("beta", "enhanced"):
        b = draw.choice((0.5, 1, 2))
        q = shares(whole, ILL)

        def holds(e):
            for v, p in shares(e, ILL).items():
                limit = min(b, -math.log(q[v])) if kind == "enhanced" else b
                if float((p - q[v]) / q[v]) > limit + TOLERANCE:
                    return False
            return True

        return kind, ["--beta", "ill=%s:%s" % ("basic" if kind == "beta" else "enhanced", b)], holds
    if kind == "k_map":
        k = draw.randint(2, 8)
        return kind, ["--k-map", str(k), "--population", population.path], lambda e: population.count(e) >= k
    most = draw.choice((0.5, 0.7, 1))
    return (kind, ["--presence", str(most), "--population", population.path],
            lambda e: count_persons(e) <= most * population.count(e) + TOLERANCE)


class Population:
    """The sample's records and others; with the person's column, or each row a person."""

    def __init__(self, draw, path, records):
        others = [["x%03d" % draw.randrange(200), draw.randint(18, 70), "537%02d" % draw.randint(0, 13),
                   draw.choice("fm")] for _ in range(draw.randint(0, 2 * len(records)))]
        rows = [[r[PERSON], r[AGE], r[ZIP], r[SEX]] for r in records] + others
        draw.shuffle(rows)
        self.path = path
        self.has_persons = draw.random() < 0.7
        self.rows = rows
        if self.has_persons:
            write_csv(path, ("person", "age", "zip", "sex"), rows)
        else:
            write_csv(path, ("age", "zip", "sex"), [r[1:] for r in rows])
        self.shown = None

    def count(self, records):
        """Who is not excluded by what is released of a class; the whole table: by its values."""
        cells = self.shown.get(records[0][NUMBER]) if self.shown else None
        if cells:
            inside = [r for r in self.rows if covers(cells, r)]
        else:
            inside = [r for r in self.rows if covers(surround(records), r)]
        return len({r[0] for r in inside}) if self.has_persons else len(inside)


def covers(cells, row):
    age, code, sex = cells
    low, high = age.strip("[]").split("..") if ".." in age else (age, age)
    if age != "*" and not int(low) <= row[1] <= int(high):
        return False
    return all(c.rstrip("*") == str(v)[: len(c.rstrip("*"))] if c.endswith("*") else c == str(v)
               for c, v in ((code, row[2]), (sex, row[3])))


def surround(records):
    ages, codes, sexes = ({r[c] for r in records} for c in (AGE, ZIP, SEX))
    prefix = os.path.commonprefix(sorted(codes))
    return ("[%d..%d]" % (min(ages), max(ages)), prefix + "*" * (5 - len(prefix)),
            sexes.pop() if len(sexes) == 1 else "*")


# --- Runs. ---

def read_classes(folder, records, by_bucket):
    """Classes as lists of records, by the text of the quasi-identifier or by the bucket."""
    of = {r[NUMBER]: r for r in records}
    classes, shown = collections.defaultdict(list), {}
    with open(os.path.join(folder, "out.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if "person" in row:
                raise AssertionError("the person was released")
            cells = row["bucket"] if by_bucket else (row["age"], row["zip"], row["sex"])
            record = of.pop(row["number"])
            classes[cells].append(record)
            shown[record[NUMBER]] = cells
    if of:
        raise AssertionError("%d records are missing" % len(of))
    return list(classes.values()), shown


def run(program, arguments, folder):
    return subprocess.run([program] + arguments, cwd=folder, capture_output=True, text=True, check=False)


def choose(draw, in_memory):
    return draw.choice(DIVIDED if in_memory else METHODS)


def try_seed(program, seed, in_memory, folder):
    """One release; what it was, and None or what is wrong with it."""
    draw = random.Random(seed)
    method = choose(draw, in_memory)
    if in_memory and seed % LARGE_EVERY == 0:
        records = draw_table(draw, 90000, 100000)
    else:
        records = draw_table(draw, 8, 14 if method == "exact" else draw.choice((20, 60, 150)))
    write_csv(os.path.join(folder, "in.csv"), HEADER, records)
    with open(os.path.join(folder, "ill.csv"), "w", encoding="utf-8") as file:
        file.writelines("%s;%s;*\n" % (v, BRANCH[v]) for v in ILLS)
    population = Population(draw, os.path.join(folder, "people.csv"), records)
    asked = [find_requirement(draw, records, population)]
    if draw.random() < 0.5:
        asked.append(find_requirement(draw, records, population))
    if len({a[1][0] for a in asked}) < len(asked):
        asked = asked[:1]
    by_bucket = method.startswith("bucketize")
    arguments = ["anonymize", "in.csv", "-o", "out.csv", "--person", "person", "--quasi", "age,zip,sex",
                 "--sensitive", "ill,income", "--insensitive", "number", "--hierarchy", "zip=prefix",
                 "--type", "zip=string", "--type", "income=integer", "--hierarchy", "ill=ill.csv",
                 "--method", method, "--seed", str(seed % 7), "-q"]
    suppress = draw.choice((0, 0, 0.1))
    if suppress and not by_bucket and method != "exact":
        arguments += ["--suppress", str(suppress)]
    if in_memory:
        arguments += ["--memory", "64M"]
    for _, options, _ in asked:
        arguments += [o for o in options if not (o in arguments and o in ("--population", population.path))]
    what = "seed %d: %s" % (seed, " ".join(arguments))
    for name in ("out.csv", "out.sensitive.csv"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    done = run(program, arguments, folder)
    if done.returncode == IMPOSSIBLE:
        if all(holds(records) for _, _, holds in asked):
            return what, "refused, but the whole table holds: " + done.stderr
        return what, "impossible"
    if done.returncode != 0 and any(r in done.stderr for r in REFUSALS):
        return what, "refused"
    if done.returncode != 0:
        return what, "exit code %d: %s" % (done.returncode, done.stderr)
    classes, population.shown = read_classes(folder, records, by_bucket)
    for kind, _, holds in asked:
        for members in classes:
            if not holds(members):
                return what, "a class of %d records and %d persons violates %s" % (
                    len(members), count_persons(members), kind)
    if seed % 4 == 0 and len(records) < 1000:
        with open(os.path.join(folder, "out.csv"), "rb") as file:
            before = file.read()
        draw.shuffle(records)
        write_csv(os.path.join(folder, "in.csv"), HEADER, records)
        run(program, arguments, folder)
        with open(os.path.join(folder, "out.csv"), "rb") as file:
            if file.read() != before:
                return what, "another order of the records gives another release"
    return what, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--releases", type=int, required=True)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--exact-count", action="store_true", help="no more where tests may take long")
    arguments = parser.parse_args()
    tables = range(arguments.first, arguments.first + arguments.releases)
    if not arguments.exact_count:
        tables = seeds.span(arguments.first, arguments.releases)
    wanted = len(tables)
    program = os.path.abspath(arguments.program)
    counts, failures, seed = collections.Counter(), 0, tables[0]
    with tempfile.TemporaryDirectory() as folder:
        while counts["verified"] < wanted:
            what, fault = try_seed(program, seed, arguments.memory, folder)
            seed += 1
            if fault in ("impossible", "refused"):
                counts[fault] += 1
                continue
            counts["verified"] += 1
            if fault:
                failures += 1
                print("%s\n  %s" % (what, fault.strip()))
    print("%d releases, %d violations; %d impossible, %d refused" % (
        counts["verified"], failures, counts["impossible"], counts["refused"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
