#!/usr/bin/env python3
"""A limit of memory holds for every requirement and method that has one, by the peak of the process.

    memory_limit.py --program SHOAL

Each case is a process of its own; what the system says it had at its peak must be below the limit.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile

LIMIT_MB = 64
# Records, and what they may take: in several pieces, all that is allowed; in one, what a run reckons with, 20 MB, 8 for
# a thread and some 300 bytes of a record (src/job/fragments/memory_run.c). And of how many persons they are, 0: of one each.
CASES = [(12000, 36, 0), (60000, LIMIT_MB, 0), (120000, 36, 40000)]
METHODS = ["mondrian", "mondrian:finish=carve", "topdown", "hilbert", "bottomup", "cluster", "specialize", "best:effort=fast"]
REQUIREMENTS = [[], ["--l", "2"], ["--l", "distinct:3"], ["--l", "entropy:2"], ["--alpha", "0.5"], ["--t", "0.4"],
                ["--l", "recursive:3:2"], ["--delta", "2"], ["--beta", "4"]]
COLUMNS = ["--quasi", "age,sex,education,zip", "--sensitive", "occupation", "--insensitive",
           "marital,race,workclass,country,income"]


def run(command):
    """Exit code, what it said, and the peak in MB."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stderr=said, stdout=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return child.returncode, said.read().decode(), usage.ru_maxrss / 1024


def add_persons(table, persons):
    """Line by line: a child's peak is at least what this process has when it begins."""
    with open(table, encoding="utf-8") as file, open(table + ".new", "w", encoding="utf-8") as out:
        for i, line in enumerate(file):
            out.write("who,%s" % line if i == 0 else "p%d,%s" % (i * 7919 % persons, line))
    os.replace(table + ".new", table)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    args = parser.parse_args()
    made = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        table, target = os.path.join(folder, "table.csv"), os.path.join(folder, "out.csv")
        for (records, allowed, persons), number, place in itertools.product(CASES, range(len(METHODS)), range(len(REQUIREMENTS))):
            method, requirement = METHODS[number], REQUIREMENTS[place]
            if method != "hilbert" and (number + place) % 3 and "SHOAL_TEST_DEEP" not in os.environ:
                continue  # a third of the pairs; all of them where tests may take long
            if number + place == 0:
                subprocess.run([args.program, "generate", "census", "--records", str(records), "-o", table], check=True)
                if persons:
                    add_persons(table, persons)
            code, said, peak = run([args.program, "anonymize", table, "-o", target, "-k", "10", "--quiet", "--threads", "1",
                                    "--memory", "%dM" % LIMIT_MB, "--method", method, *requirement, *COLUMNS,
                                    *(["--person", "who"] if persons else [])])
            if code == 2 and "limit of memory" in said:
                continue  # the method cannot, and says so
            made += 1
            if code != 0 or peak > allowed:
                failed += 1
                print("%d records, %d persons, %s %s: exit code %d, %.1f MB at the peak; %s" %
                      (records, persons, method, " ".join(requirement), code, peak, said))
    print("%d runs, %d failed" % (made, failed))
    sys.exit(1 if failed or made < 10 else 0)


if __name__ == "__main__":
    main()
