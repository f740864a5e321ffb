#!/usr/bin/env python3
"""A hospital's visits, invented: several rows per patient, and columns that must not go out.

    hospital.py [--patients N] > visits.csv
    hospital.py --count RELEASE VISITS K COLUMN,...

The second counts, in a release that keeps the order of the visits, the distinct patients of every class of equal
texts in the columns, and prints the classes, those of fewer than K patients, and those of one.
"""

import csv
import random
import sys

VISITS = 8721
HEADER = ["patient_id", "ssn", "email", "birth_date", "zip", "sex", "diagnosis", "ward", "visit_date"]
ILL = ["flu", "asthma", "gout", "fracture", "migraine", "diabetes", "hypertension", "measles"]


def make(patients):
    rng = random.Random(20)
    people = []
    for i in range(patients):
        born = "%04d-%02d-%02d" % (rng.randint(1930, 2018), rng.randint(1, 12), rng.randint(1, 28))
        zip_code = "53%03d" % (rng.randint(0, 9) * 10 + rng.randint(0, 9))
        people.append(["H%06d" % (7 * i + 100003), "%03d-%02d-%04d" % (rng.randint(900, 999), i % 90 + 10, i % 9000 + 1000),
                       "p%d@example.org" % i, born, zip_code, rng.choice("FM"), rng.choices(ILL, range(8, 0, -1))[0]])
    visits = [people[i] for i in range(patients)]
    visits += [rng.choice(people) for _ in range(VISITS * patients // 5000 - patients)]
    rng.shuffle(visits)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(HEADER)
    for person in visits:
        ill = person[6] if rng.random() < 0.7 else rng.choice(ILL)
        out.writerow(person[:6] + [ill, rng.choice("ABCDE"), "2025-%02d-%02d" % (rng.randint(1, 12), rng.randint(1, 28))])


def count(release, visits, k, columns):
    with open(release, newline="") as file:
        rows = list(csv.DictReader(file))
    with open(visits, newline="") as file:
        people = [row["patient_id"] for row in csv.DictReader(file)]
    classes = {}
    for row, person in zip(rows, people, strict=True):
        classes.setdefault(tuple(row[c] for c in columns), set()).add(person)
    sizes = [len(c) for c in classes.values()]
    print(len(sizes), "classes,", sum(s < k for s in sizes), "of fewer than", k, "people,", sizes.count(1), "of one")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--count"]:
        count(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5].split(","))
    else:
        make(int(sys.argv[2]) if sys.argv[1:2] == ["--patients"] else 5000)
