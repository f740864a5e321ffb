#!/usr/bin/env python3
"""Runs of the program with arguments, specs and tables that something was done to: whatever comes, it ends as documented.

    mutate_runs.py --program PATH [--runs N] [--first SEED]

Of each run: the exit code is one of those of docs/formats.md; no sanitizer speaks up; a run that fails leaves no release
behind, and no run a temporary file; no message shows the content of a cell, all of which can be told by a mark. A run that
takes longer than a minute counts as a fault, too. To be run on the program with sanitizers.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

MARK = "zqx"  # in every cell that must not be shown
SECONDS = 60
DOCUMENTED = {0, 1, 2, 3, 4}
SANITIZERS = re.compile(r"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehavior|Assertion|stack smashing")
COLUMNS = ("who", "age", "zip", "sex", "ill", "pay", "day")

SPEC = """columns:
  who: {role: person}
  age: {role: quasi, type: integer, weight: 2, grid: 5}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  sex: quasi
  ill: {role: sensitive, same: [blanks, case]}
  pay: {role: insensitive, round: 10, top: 900}
privacy: {k: 2, l: {value: 2, kind: distinct}, alpha: 0.9}
missing: {action: keep, tokens: ["?", ""], person: own}
input: {delimiter: ",", decimal: "."}
output: {numeric: range, order: canonical}
rest: drop
method: topdown
suppress: 0.1
seed: 3
threads: 2
"""

ROLES = ["--quasi", "age,zip,sex", "--sensitive", "ill"]
BASES = (
    ["anonymize", "in.csv", "-o", "out.csv", "-k", "2", "--method", "topdown"] + ROLES,
    ["anonymize", "in.csv", "-o", "out.csv", "--spec", "spec.yaml"],
    ["anonymize", "in.csv", "-o", "out.csv", "--spec", "spec.yaml", "--method", "mondrian", "--memory", "64M"],
    ["anonymize", "in.csv", "-o", "out.csv", "--l", "2", "--method", "anatomy"] + ROLES,
    ["anonymize", "in.csv", "-o", "out.csv", "-k", "2", "--method", "nonhomogeneous", "--quasi", "age,zip"],
    ["anonymize", "in.csv", "-o", "out.csv", "-k", "2", "--method", "best", "--effort", "fast", "--report", "page.html"]
    + ROLES,
    ["refine", "in.csv", "release.csv", "-o", "out.csv", "-k", "2", "--effort", "fast"] + ROLES,
    ["verify", "release.csv", "-k", "2", "--strict"] + ROLES,
    ["verify", "release.csv", "--original", "in.csv", "--spec", "spec.yaml"],
    ["measure", "in.csv", "release.csv", "-k", "2", "--json"] + ROLES,
    ["risk", "in.csv", "release.csv", "--spec", "spec.yaml"],
    ["query", "release.csv", "COUNT WHERE age < 40", "--original", "in.csv"] + ROLES,
    ["inspect", "in.csv", "--json"],
    ["frontier", "in.csv", "--sweep", "k=2,3"] + ROLES,
    ["attack", "in.csv", "release.csv"] + ROLES,
    ["hierarchy", "build", "in.csv", "--column", "zip", "--prefix", "5", "-o", "out.csv"],
)
WORDS = ("--strict", "--json", "--quiet", "--missing", "keep", "--same", "ill=case,blanks,unicode", "--type", "ill=real",
         "--person", "who", "--l", "distinct:3", "--t", "0.3", "--t", "hierarchical:0.3", "--alpha", "0.5", "--delta", "1",
         "--beta", "0.5", "--suppress", "0.2", "--numeric", "minmax", "--numeric", "mean", "--grid", "age=5", "--order",
         "keep", "--encoding", "latin1", "--delimiter", ";", "--decimal", ",", "--thousands", ".", "--date-format",
         "DD.MM.YYYY", "--rest", "release", "--accept", "range-ends", "--identifier", "who", "--hierarchy", "sex=flat",
         "--hierarchy", "age=widths:5,10", "--k-column", "pay", "--threads", "0", "--seed", "-1", "--report", "page.json",
         "--report-external", "page.html", "--spreadsheet-safe", "--memory", "1M", "--round", "pay=7", "--truncate",
         "ill=3", "--top", "age=40", "--generalize", "zip=2", "--weight", "age=0", "--k-map", "3", "--population",
         "in.csv", "--presence", "0.9", "--attacks", "linkage", "--", "-", "", "=", "k", "0", "1e309", "nan", "\xe9",
         "--coarsest", "zip=2", "--previous", "release.csv", "--measure", "bound", "in.csv", "spec.yaml", "nowhere.csv")
PIECES = (b",", b"\n", b"\r\n", b'"', b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\x28", b"=", b"- ", b": ", b"{", b"]",
          b"&a ", b"*a", b"\t", b"''", b"|", b"99999999999999999999", b"-1", b"1e400", b"nan", b"\xed\xa0\x80", b";", b"#")


def draw_table(draw):
    lines = [",".join(COLUMNS)]
    for number in range(draw.choice((1, 8, 24, 24))):
        lines.append(",".join((
            MARK + "p%d" % (number // draw.choice((1, 2))), str(draw.randint(20, 60)), "5%04d" % draw.randrange(50),
            draw.choice("fm"), MARK + draw.choice(("hiv", "flu", "HIV ", "gout")), str(draw.randint(1, 999)),
            draw.choice(("2024-05-03", MARK, "")))))
    return ("\n".join(lines) + "\n").encode()


def release_of(table):
    """All records as one class."""
    lines = table.decode().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    shown = [",".join([row[0], "[20..60]", "*", "*"] + row[4:]) for row in rows]
    return ("\n".join([lines[0]] + shown) + "\n").encode()


def mutate_bytes(draw, data, first):
    """Something done to the bytes from `first` on, some times."""
    for _ in range(draw.choice((1, 1, 2, 5))):
        at = draw.randint(first, max(first, len(data)))
        end = min(len(data), at + draw.choice((1, 1, 3, 20, 200)))
        way = draw.randrange(6)
        if way == 0:
            data = data[:at] + data[end:]
        elif way == 1:
            data = data[:end] + data[at:end] + data[end:]
        elif way == 2:
            data = data[:at] + draw.choice(PIECES) + data[at:]
        elif way == 3:
            data = data[:at] + bytes([draw.randrange(256)]) + data[at + 1:]
        elif way == 4:
            lines = data[first:].split(b"\n")
            draw.shuffle(lines)
            data = data[:first] + b"\n".join(lines)
        else:
            data = data[:at]
    return data


def draw_option(draw):
    """One that there is, with its value."""
    start = draw.choice([i for i, word in enumerate(WORDS) if word.startswith("--") and word != "--"])
    return WORDS[start:start + 1] if WORDS[start + 1].startswith("-") else WORDS[start:start + 2]


def mutate_arguments(draw, arguments):
    arguments = list(arguments)
    for _ in range(draw.choice((0, 0, 1, 1, 2, 4))):
        at = draw.randint(1, len(arguments))
        way = draw.choice((0, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5))
        if way == 0 and len(arguments) > 1:
            del arguments[min(at, len(arguments) - 1)]
        elif way == 1:
            arguments += draw_option(draw)
        elif way == 2 and at < len(arguments):
            arguments[at] = draw.choice(WORDS)
        elif way == 3 and at < len(arguments):
            arguments.insert(draw.randint(1, len(arguments)), arguments[at])
        elif way == 4 and at < len(arguments):
            text = arguments[at]
            place = draw.randint(0, len(text))
            arguments[at] = text[:place] + draw.choice(("", "=", ",", ":", "9", "-", "a", '"', "\n")) + text[place + 1:]
        elif at < len(arguments):
            other = draw.randint(1, len(arguments) - 1)
            arguments[at], arguments[other] = arguments[other], arguments[at]
    return arguments


def write_files(draw, folder):
    """The files of a run; whether a message that shows a mark would show a cell."""
    table = draw_table(draw)
    header = table.index(b"\n") + 1
    is_whole = draw.random() < 0.7
    release = release_of(table)
    spec = SPEC.encode()
    if draw.random() < 0.5:
        table = mutate_bytes(draw, table, header if is_whole else 0)
    if draw.random() < 0.5:
        release = mutate_bytes(draw, release, header if is_whole else 0)
    if draw.random() < 0.4:
        spec = mutate_bytes(draw, spec, 0)
    for name, data in (("in.csv", table), ("release.csv", release), ("spec.yaml", spec)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    # Lines that are left out before the header make a header of records.
    return is_whole and not re.search(rb"skip|comment", spec)


def check(done, arguments, after, before, is_telling):
    if done.returncode not in DOCUMENTED:
        return "exit code %d" % done.returncode
    if SANITIZERS.search(done.stderr):
        return "a sanitizer"
    left = sorted(set(after) - set(before))
    makes = arguments and arguments[0] in ("anonymize", "refine", "hierarchy")
    if makes and done.returncode != 0 and any(name.startswith("out") for name in left):
        return "left behind: %s" % left
    if any(".shoal" in name or name.endswith((".tmp", "~")) or re.search(r"\.[0-9a-zA-Z]{6}$", name) for name in left):
        return "temporary files: %s" % left
    said = " ".join(arguments)
    if is_telling and "--show-values" not in said and MARK not in said and "--skip-lines" not in said and \
            "--comment" not in said and MARK in done.stderr:
        return "a message shows a cell"
    return None


def run_one(program, seed):
    draw = random.Random(seed)
    folder = tempfile.mkdtemp()
    try:
        is_telling = write_files(draw, folder)
        arguments = mutate_arguments(draw, draw.choice(BASES))
        before = os.listdir(folder)
        command = [a.encode("utf-8").replace(b"\0", b"") for a in arguments]
        try:
            done = subprocess.run([program] + command, cwd=folder, capture_output=True, timeout=SECONDS, check=False,
                                  stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace")
        except subprocess.TimeoutExpired:
            return seed, arguments, "longer than %d s" % SECONDS, "", None
        fault = check(done, arguments, os.listdir(folder), before, is_telling)
        return seed, arguments, fault, done.stderr[-3000:], done.returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    codes, faults = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        seeds = range(arguments.first, arguments.first + arguments.runs)
        for seed, run, fault, stderr, code in pool.map(lambda s: run_one(program, s), seeds):
            codes[code] += 1
            if fault:
                faults += 1
                print("seed %d: %s\n  %s\n%s" % (seed, fault, run, stderr), flush=True)
    print("%d runs, %d faults; exit codes %s" % (arguments.runs, faults,
                                                 ", ".join("%s: %d" % c for c in sorted(codes.items(), key=str))))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
