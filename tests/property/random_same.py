#!/usr/bin/env python3
"""Random tables whose values are written in many ways through the program: requirements are held against its releases by
what a reader takes for one value, found from Python's unicodedata and fractions (docs/formats.md).

    random_same.py --program PATH --releases N [--first SEED] [--memory]

Nothing here knows how Shoal works. Cells and names of persons are spelled anew in every record; `--same` names some ways
that do not count. Classes are counted as in random_persons.py, the worst class that `verify` tells must be that of the
definition, and so must the number that the warnings of similar values and persons tell.
"""
import argparse
import collections
import csv
import fractions
import os
import random
import re
import sys
import tempfile
import unicodedata

sys.dont_write_bytecode = True

import random_persons as persons
import seeds

WAYS = ("blanks", "case", "unicode")
WHITE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
NO_WIDTH = "\u200b\u2060\ufeff"
DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
TOKENS = ("", "?")
STEMS = ("HIV", "flu", "caf\xe9", "Stra\xdfe", "\u01c4 A", "\uac01", "q\u0323\u0307x", "7", "10", "0", "2.50",
         "12345678901234567890", "12345678901234567891", "x y", "-3", "1e2", "\u0130b", "\u03a3as")
KINDS = ("k", "alpha", "alpha1", "alpha2", "limits", "l", "distinct", "entropy", "recursive", "js", "equal", "delta",
         "beta", "enhanced")
METHODS = persons.METHODS + ("anatomy",)
UNNAMED = "\x01"  # before a value that no option can name
NOBODY = argparse.Namespace(path="")


# --- What is the same, by definition. ---

def fold(text, ways):
    if "blanks" in ways:
        text = "".join(c for c in text if c not in NO_WIDTH)
        text = " ".join(filter(None, re.split("[" + WHITE + "]+", text)))
    if "unicode" in ways:
        text = unicodedata.normalize("NFD", text)
    if "case" in ways:
        text = text.casefold()
    if "unicode" in ways:
        text = unicodedata.normalize("NFC", text)
    return text


def canon(text, ways, has_numbers):
    text = fold(text, ways)
    return ("number", fractions.Fraction(text)) if has_numbers and DECIMAL.match(text) else ("text", text)


def value_of(texts, ways, has_numbers, keeps_missing=False):
    """The value of each of the texts of a column; missing: ("text", None)."""
    token = next((t for t in TOKENS if t in texts), None)
    missing = None if token is None or keeps_missing else canon(token, ways, has_numbers)
    values = {}
    for text in texts:
        value = canon(text, ways, has_numbers)
        values[text] = ("text", None) if text in TOKENS or value == missing else value
    return values


# --- Tables. ---

def spell(draw, stem):
    """The stem in some way that somebody may take for it, or not."""
    text = stem
    if DECIMAL.match(text) and draw.random() < 0.5:
        plain = text.lstrip("+-")
        sign = "-" if text.startswith("-") else draw.choice(("", "+"))
        zeros = draw.choice(("", ".0", ".00")) if "." not in plain and "e" not in plain else draw.choice(("", ""))
        text = sign + draw.choice(("", "0")) + plain + zeros
    way = draw.random()
    if way < 0.2:
        text = draw.choice((text.upper(), text.lower(), text.swapcase(), text.casefold()))
    elif way < 0.4:
        text = unicodedata.normalize(draw.choice(("NFC", "NFD")), text)
    elif way < 0.6:
        text = draw.choice((" ", "\xa0", "\t", "\u200b")) * draw.randint(0, 2) + text + draw.choice(("", " ", "\u3000"))
    elif way < 0.7:
        text = text.replace(" ", draw.choice(("  ", "\xa0", "\u2003 ")))
    return text


def draw_tables(draw, least, most, by_persons):
    """Records as random_persons.py draws them, spelled anew; by_persons: else each is of one of its own."""
    stems = draw.sample(STEMS, draw.randint(2, 7)) + draw.choice(([], ["?"], ["", " ", "?"]))
    spelled = dict(zip(persons.ILLS, draw.sample(stems, min(len(stems), len(persons.ILLS)))))
    written = persons.draw_table(draw, least, most)
    for record in written:
        stem = spelled.get(record[persons.ILL]) or draw.choice(stems)
        record[persons.ILL] = stem if stem in TOKENS else spell(draw, stem)
        if by_persons:
            number = record[persons.PERSON][1:]
            record[persons.PERSON] = spell(draw, number if draw.random() < 0.5 else "P\xe9" + number)
        else:
            record[persons.PERSON] = record[persons.NUMBER]
    return written


def name_values(values, ways, has_numbers):
    """A text for each value that an option may name: one that is the same, whether it occurs or not."""
    names = {}
    for text, value in sorted(values.items()):
        stripped = text.strip(WHITE)
        if value == canon(stripped, ways, has_numbers) and not re.search('[,="]', text) and stripped not in TOKENS:
            names.setdefault(value, stripped)
    return names


def pick(draw, choices):
    return ",".join(draw.sample(WAYS, draw.choice(choices)))


# --- Runs. ---

def check_warning(stderr, code, texts, ways, has_numbers, keeps_missing):
    """None, or what is wrong with the warning of similar values."""
    texts = {t for t in texts if not (keeps_missing and t in TOKENS)}
    now = set(value_of(texts, ways, has_numbers, keeps_missing).values())
    least = set(value_of(texts, WAYS, has_numbers, keeps_missing).values())
    expected = len(now) - len(least)
    told = re.search(r"(\d+) of the (\d+) \w+ in the column .*\[%s\]" % code, stderr)
    if bool(told) != (expected > 0):
        return "%d similar ones, but %s" % (expected, "a warning" if told else "no warning")
    plain = len({t for t in texts if t not in TOKENS})
    if told and (int(told[1]), int(told[2])) != (expected, plain):
        return "%s tells %s of %s, not %d of %d" % (code, told[1], told[2], expected, plain)
    return None


def check_verify(program, folder, classes, arguments, ways, has_numbers):
    """The worst number of different values that verify tells must be that of the definition."""
    options = ["--type", "ill=string"] if not has_numbers else []
    options += ["--same", "ill=" + ways] if ways else []
    quasi = ["--quasi", "age,zip,sex", "--sensitive", "ill"]
    done = persons.run(program, ["verify", "out.csv", "--l", "distinct:1000"] + quasi + options + arguments, folder)
    told = re.search(r"at worst (\d+),", done.stdout)
    worst = min(len({r[persons.ILL] for r in members}) for members in classes)
    if not told or int(told[1]) != worst:
        return "verify tells %s different values at worst, not %d: %s" % (told and told[1], worst, done.stderr)
    return None


def try_seed(program, seed, in_memory, folder):
    draw = random.Random(seed)
    by_persons = draw.random() < 0.5
    method = draw.choice(persons.DIVIDED if in_memory else METHODS)
    if method == "anatomy" and by_persons:
        method = "bucketize"
    by_bucket = method.startswith(("bucketize", "anatomy"))
    written = draw_tables(draw, 8, 14 if method == "exact" else draw.choice((20, 60, 150)), by_persons)
    persons.write_csv(os.path.join(folder, "in.csv"), persons.HEADER, written)
    ways, person_ways = pick(draw, (0, 1, 2, 3, 3)), pick(draw, (0, 2, 3))
    has_numbers = draw.random() < 0.75
    ills = value_of({r[persons.ILL] for r in written}, ways.split(","), has_numbers)
    names = value_of({r[persons.PERSON] for r in written}, person_ways.split(","), True, True)
    texts = name_values(ills, ways.split(","), has_numbers)
    records = [list(r) for r in written]
    for record in records:
        value = ills[record[persons.ILL]]
        record[persons.ILL] = texts.get(value, UNNAMED + repr(value))
        record[persons.PERSON] = str(names[record[persons.PERSON]]) if by_persons else record[persons.NUMBER]
    kind, options, holds = "", [], None
    while kind not in KINDS or (kind in ("alpha1", "alpha2", "limits") and any(UNNAMED in o for o in options)):
        kind, options, holds = persons.find_requirement(draw, records, NOBODY)
    if method == "anatomy" and kind in ("js", "equal", "delta", "beta", "enhanced", "k"):
        options, holds = ["--l", "ill=2"], lambda e: 2 * max(persons.count_values(e, persons.ILL).values()) <= len(e)
    arguments = ["anonymize", "in.csv", "-o", "out.csv", "--quasi", "age,zip,sex", "--sensitive", "ill,income",
                 "--insensitive", "number", "--hierarchy", "zip=prefix", "--type", "zip=string", "--type",
                 "income=integer", "--method", method, "--seed", str(seed % 7), "-q"] + options
    arguments += ["--person", "person"] if by_persons else ["--identifier", "person"]
    arguments += ["--same", "ill=" + ways] if ways else []
    arguments += ["--same", "person=" + person_ways] if person_ways and by_persons else []
    arguments += ["--type", "ill=string"] if not has_numbers else []
    arguments += ["--memory", "64M"] if in_memory else []
    what = "seed %d: %s" % (seed, " ".join(arguments))
    for name in ("out.csv", "out.sensitive.csv"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))
    done = persons.run(program, arguments, folder)
    if done.returncode == persons.IMPOSSIBLE:
        return what, "refused, but the whole table holds: " + done.stderr if holds(records) else "impossible"
    if done.returncode != 0 and any(r in done.stderr for r in persons.REFUSALS):
        return what, "refused"
    if done.returncode != 0:
        return what, "exit code %d: %s" % (done.returncode, done.stderr)
    classes, _ = persons.read_classes(folder, records, by_bucket)
    for members in classes:
        if not holds(members):
            return what, "a class of %d records violates %s" % (len(members), kind)
    if options[0] != "-k":
        fault = check_warning(done.stderr, "similar-values", ills, ways.split(","), has_numbers, False)
        if fault:
            return what, fault
    if by_persons:
        fault = check_warning(done.stderr, "similar-persons", names, person_ways.split(","), True, True)
        if fault:
            return what, fault
    if not by_bucket:
        return what, check_verify(program, folder, classes, [], ways, has_numbers)
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
    program = os.path.abspath(arguments.program)
    counts, failures, seed = collections.Counter(), 0, tables[0]
    with tempfile.TemporaryDirectory() as folder:
        while counts["verified"] < len(tables):
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
