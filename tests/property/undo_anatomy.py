#!/usr/bin/env python3
"""A reader who knows the program tries to undo buckets, and must not do better than by guessing.

    undo_anatomy.py --program SHOAL [--rounds N]

The attacker knows the quasi-identifier of everybody, the method, its settings and what is published:
buckets, and how often each value occurs in each. He runs the program himself, on a dummy table with the
same number of records of each value, and sees which ranks of which values share a bucket there: "the third
of those with flu and the first of those with gout". If drawing follows from counts and seed alone, the same
ranks share one in the release. So he goes through the people in sorted order and gives each the next rank
of some value, back and forth, until no two people of a bucket contradict what he saw.

With l different values per bucket guessing finds one in l. The test fails when, over all rounds, he
finds more than that and three standard deviations.
"""
import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

PEOPLE = 200
STEPS = 200000


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([["age", "ill"]] + rows)


def release(program, folder, name, rows, l):
    """The bucket of each age, and the values of each bucket."""
    source, target = os.path.join(folder, name + ".csv"), os.path.join(folder, name + "-released.csv")
    write(source, rows)
    subprocess.run([program, "anonymize", source, "-o", target, "--quasi", "age", "--sensitive", "ill",
                    "--l", str(l), "--method", "anatomy", "--quiet"], check=True, timeout=60)
    with open(target, newline="") as file:
        bucket_of = {int(row["age"]): row["bucket"] for row in csv.DictReader(file)}
    values = defaultdict(Counter)
    with open(target[:-4] + ".sensitive.csv", newline="") as file:
        for row in csv.DictReader(file):
            values[row["bucket"]][row["value"]] += int(row["count"])
    return bucket_of, values


def learn(program, folder, totals, l):
    """Which ranks of which values share a bucket: a number for each value's ranks."""
    people = [value for value in sorted(totals) for _ in range(totals[value])]
    bucket_of, values = release(program, folder, "dummy", [[i, v] for i, v in enumerate(people)], l)
    ranks = defaultdict(list)
    for i, value in enumerate(people):
        ranks[value].append(bucket_of[i])
    return ranks, values


class Solver:
    """The people in sorted order, each the next of some value. Keeps the longest way that it went."""

    def __init__(self, bucket_of, values, ranks, seen):
        self.people = [bucket_of[age] for age in sorted(bucket_of)]
        self.values, self.ranks, self.seen = values, ranks, seen

    def choices(self, i, used, there, here):
        """Values of person i, with the bucket of the dummy in which that rank of the value is."""
        published = self.people[i]
        for value in self.values[published]:
            if used[value] < len(self.ranks[value]):
                dummy = self.ranks[value][used[value]]
                fits = (there[published] == dummy if published in there else
                        dummy not in here and self.seen[dummy] == self.values[published])
                if fits:
                    yield value, dummy

    def solve(self):
        used, there, here = Counter(), {}, set()
        way, best, steps = [], [], 0
        open_choices = [self.choices(0, used, there, here)]
        while open_choices and len(best) < len(self.people) and steps < STEPS:
            steps += 1
            step = next(open_choices[-1], None)
            if step:
                value, dummy = step
                published = self.people[len(way)]
                is_new = published not in there
                if is_new:
                    there[published] = dummy
                    here.add(dummy)
                used[value] += 1
                way.append((value, is_new))
                best = [v for v, _ in way] if len(way) > len(best) else best
                if len(way) < len(self.people):
                    open_choices.append(self.choices(len(way), used, there, here))
                continue
            open_choices.pop()
            if way:
                value, is_new = way.pop()
                used[value] -= 1
                if is_new:
                    here.discard(there.pop(self.people[len(way)]))
        return best


def attack(program, folder, rng, l):
    """How many people there are, how many were found out, what guessing finds, with its variance."""
    people = [["flu", "gout", "ulcer", "asthma", "angina"][rng.randrange(max(3, l + 1))] for _ in range(PEOPLE)]
    totals = Counter(people)
    if max(totals.values()) * l > PEOPLE:
        return 0, 0, 0.0, 0.0
    bucket_of, values = release(program, folder, "table", [[i, v] for i, v in enumerate(people)], l)
    ranks, seen = learn(program, folder, totals, l)
    found = Solver(bucket_of, values, ranks, seen).solve()
    chances = []
    for age in range(PEOPLE):
        counts = values[bucket_of[age]]
        if age >= len(found):  # no idea: what occurs most often in the bucket
            found.append(counts.most_common(1)[0][0])
        chances.append(counts[found[age]] / sum(counts.values()))
    hits = sum(people[age] == found[age] for age in range(PEOPLE))
    return PEOPLE, hits, sum(chances), sum(c * (1 - c) for c in chances)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--rounds", type=int, default=4)
    args = parser.parse_args()
    failed = False
    for l in (2, 3, 4):
        people = hits = guessed = variance = 0
        for number in range(args.rounds):
            with tempfile.TemporaryDirectory() as folder:
                tried, found, chance, spread = attack(args.program, folder, random.Random(100 * l + number), l)
            people, hits = people + tried, hits + found
            guessed, variance = guessed + chance, variance + spread
        # Within a bucket the values exclude each other, so the hits of a bucket go together: at
        # worst all or none, which has l times the variance of as many independent guesses.
        bound = guessed + 3 * math.sqrt(variance * (l + 1))
        print("l = %d: %d of %d found, %.0f by guessing, at most %.0f allowed" %
              (l, hits, people, guessed, bound))
        failed = failed or hits > bound or guessed == 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
