#!/usr/bin/env python3
"""Check a release against its original, slowly and by definition.

Nothing here knows how Shoal works; the rules are those of docs/formats.md and docs/measures.md. A
released cell is read as the set of values of the original that it may stand for, a hierarchy as the
list of its lines, and every figure is the sum that its definition says.

    check_release.py ORIGINAL RELEASE -k N --quasi a,b [--hierarchy a=FILE] [--weight a=W]
        [--missing drop|keep] [--numeric range|minmax|mean|median] [--delimiter C] [--figures FILE]

The release has the order of its original (--keep-order). FILE holds what `shoal measure --json`
printed, to be compared with.
"""
import argparse
import csv
import datetime
import json
import math
import re
import statistics
import sys

MISSING = None
TOKENS = ("?", "")
INTEGER = re.compile(r"-?(0|[1-9][0-9]*)\Z")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z")
LEADING_ZERO = re.compile(r"[+-]?0[0-9]")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")


class Wrong(Exception):
    """The release, or a figure, is not what it should be."""


def require(condition, text):
    if not condition:
        raise Wrong(text)


# --- Reading.


def read_table(path, delimiter):
    """Column names, and the records as lists of texts."""
    csv.field_size_limit(1 << 24)
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = list(csv.reader(file, delimiter=delimiter, strict=True))
    header, records = lines[0], lines[1:]
    records = [r or [""] for r in records] if len(header) == 1 else [r for r in records if r]
    require(all(len(r) == len(header) for r in records), path + ": ragged")
    return header, records


def read_hierarchy(path):
    """Lines of labels, from the value to the root; no label repeated, none empty but the value."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        text = file.read()
    delimiter = ";" if ";" in text.split("\n")[0] else ","
    paths = []
    for line in csv.reader(text.splitlines(keepends=True), delimiter=delimiter):
        if line:
            labels = [line[0]]
            for label in line[1:]:
                if label != "" and (label != labels[-1] or len(labels) == 1):
                    labels.append(label)
            paths.append(labels)
    return paths


def find_type(texts):
    """The type of a column by its texts, missing ones left out."""
    if not texts:
        return "string"
    if all(INTEGER.match(t) and abs(int(t)) <= 2**53 for t in texts):
        return "integer"
    if all(
        NUMBER.match(t)
        and math.isfinite(float(t))
        and not LEADING_ZERO.match(t)
        and not (re.match(r"[+-]?[0-9]+\Z", t) and abs(int(t)) > 2**53)
        for t in texts
    ):
        return "real"
    return "date" if all(is_date(t) for t in texts) else "string"


def is_date(text):
    try:
        return bool(DATE.match(text)) and bool(datetime.date.fromisoformat(text))
    except ValueError:
        return False


def to_number(text):
    return datetime.date.fromisoformat(text).toordinal() if is_date(text) else float(text)


# --- One quasi-identifier.


class Column:
    """What a cell may stand for, and what that costs.

    A value is a number, a text, or MISSING. `lines` are the ways of the values to the root: by
    them a label is the set of values below it.
    """

    def __init__(self, name, texts, paths=None, weight=1.0):
        self.name = name
        self.weight = weight
        self.type = find_type([t for t in texts if t not in TOKENS])
        self.is_number = self.type != "string"
        self.values = set(map(self.read_value, texts))
        self.paths = None
        if paths is not None or not self.is_number:
            self.paths = self.find_paths(paths or [])
        numbers = [v for v in self.values if v is not MISSING]
        self.span = max(numbers) - min(numbers) if self.is_number and numbers else 0

    def read_value(self, text):
        if text in TOKENS:
            return MISSING
        return to_number(text) if self.is_number else text

    def find_paths(self, lines):
        """The labels above each value of the column, from fine to coarse."""
        known = {}
        for line in lines:
            try:
                known[self.read_value(line[0])] = line[1:]
            except ValueError:
                pass  # a line for a text, in a column of numbers
        root = lines[0][-1] if lines else "*"
        missing = [v for v in self.values if v not in known and v is not MISSING]
        require(not lines or not missing, self.name + ": values that the hierarchy lacks")
        return {value: known.get(value, [root]) for value in self.values}

    def below(self, label):
        return {value for value in self.values if label in self.paths[value]}

    # Reading a cell.

    def read_cell(self, text):
        """The set of values that a released text stands for."""
        if text == "*":
            return set(self.values)
        if text.startswith("{") and text.endswith("}") and self.read_set(text):
            return self.read_set(text)  # unless an element is unknown: then it is a label
        return self.read_category(text) if self.paths is not None else self.read_range(text)

    def read_set(self, text):
        found = set()
        for element in split_set(text[1:-1]):
            plain = re.sub(r"\\(.)", r"\1", element, flags=re.S)
            values = {MISSING} if element == "\\N" else self.read_element(plain)
            if not values & self.values:
                return set()
            found |= values
        return found

    def read_element(self, text):
        try:
            value = self.read_value(text)
        except ValueError:
            return set()
        return {value} if value in self.values else set()

    def read_category(self, text):
        found = self.below(text) or self.read_element(text)
        require(found, "%s: no such label" % self.name)
        return found

    def read_range(self, text):
        match = re.match(r"\[(.+)\.\.(.+)\]\Z", text)
        if not match:
            found = self.read_element(text)
            require(found, "%s: no such number" % self.name)
            return found
        return self.read_bounds(match[1], match[2])

    def read_bounds(self, low, high):
        if low == high and (low == "*" or low in TOKENS or low == "{\\N}"):
            return set(self.values) if low == "*" else {MISSING}
        low, high = to_number(low), to_number(high)
        require({low, high} <= self.values, self.name + ": a bound that is no value")
        return {v for v in self.values if v is not MISSING and low <= v <= high}

    # What it costs.

    def ancestor(self, found):
        """The values below the closest common label of `found`, and how high that label is."""
        shared = [x for x in self.paths[min(found, key=str)] if found <= self.below(x)]
        below = self.below(shared[0])
        return below, max(self.paths[v].index(shared[0]) + 1 for v in below)

    def penalty(self, found):
        if len(found) == 1:
            return 0.0
        if self.paths is not None:
            return len(self.ancestor(found)[0]) / len(self.values)
        if MISSING in found:
            return 1.0
        return (max(found) - min(found)) / self.span

    def height(self, found):
        if len(found) == 1:
            return 0
        return self.ancestor(found)[1] if self.paths is not None else 1

    def full_height(self):
        if len(self.values) == 1:
            return 0
        return max(map(len, self.paths.values())) if self.paths is not None else 1

    def is_suppressed(self, found):
        whole = found if self.paths is None or len(found) == 1 else self.ancestor(found)[0]
        return len(self.values) > 1 and whole == self.values


def split_set(text):
    """The elements between the bars that no backslash stands before."""
    elements, start, i = [], 0, 0
    while i < len(text):
        if text[i] == "|":
            elements.append(text[start:i])
            start = i + 1
        i += 2 if text[i] == "\\" else 1
    return elements + [text[start:]]


# --- The release.


class Release:
    """Original and release, record by record."""

    def __init__(self, original, release, columns, k, missing="error", numeric="range"):
        self.columns = columns
        self.k = k
        header, records = original
        places = [header.index(c.name) for c in columns]
        if missing == "drop":
            records = [r for r in records if not any(r[p] in TOKENS for p in places)]
        self.true = [[c.read_value(r[p]) for c, p in zip(columns, places)] for r in records]
        self.numeric = numeric
        self.read_cells(*release)
        self.check_others(header, records, *release)

    def is_form(self, column, *forms):
        return column.is_number and column.paths is None and self.numeric in forms

    def read_cells(self, header, records):
        """The cells of the quasi-identifier of each record, and what they stand for."""
        require(len(records) == len(self.true), "records were lost or invented")
        self.keys = [[] for _ in records]
        self.found = [[] for _ in records]
        for column in self.columns:
            is_pair = self.is_form(column, "minmax")
            names = [column.name + s for s in (("_min", "_max") if is_pair else ("",))]
            places = [header.index(name) for name in names]
            read = column.read_bounds if is_pair else column.read_cell
            if self.is_form(column, "mean", "median"):
                read = lambda text: None
            memo = {}
            for record, key, found in zip(records, self.keys, self.found):
                cells = tuple(record[p] for p in places)
                if cells not in memo:
                    memo[cells] = read(*cells)
                key.extend(cells)
                found.append(memo[cells])
        self.classes = {}
        for i, key in enumerate(self.keys):
            self.classes.setdefault(tuple(key), []).append(i)

    def check_others(self, header, records, new_header, new_records):
        """Whatever is no quasi-identifier is as it was."""
        quasi = {c.name for c in self.columns}
        for name in header:
            if name not in quasi and name in new_header:
                old, new = header.index(name), new_header.index(name)
                same = all(a[old] == b[new] for a, b in zip(records, new_records))
                require(same, "a column that is released as it is has changed")

    def check(self):
        smallest = min(map(len, self.classes.values()))
        require(smallest >= self.k, "a class of %d records" % smallest)
        for c, column in enumerate(self.columns):
            if self.is_form(column, "mean", "median"):
                self.check_centres(c, column)
                continue
            for true, found in zip(self.true, self.found):
                require(true[c] in found[c], column.name + ": a cell does not cover its value")

    def check_centres(self, c, column):
        """A mean is that of its class up to a millionth of the column's span; a median is one of
        its values with no more than half of them on either side."""
        place = sum(2 if self.is_form(x, "minmax") else 1 for x in self.columns[:c])
        for key, rows in self.classes.items():
            values = [self.true[i][c] for i in rows]
            if MISSING in values:
                want = column.read_value(key[place]) is MISSING if key[place] != "*" else True
                require(want, column.name + ": a number for missing values")
                continue
            shown = to_number(key[place])
            if self.numeric == "mean":
                slack = 0.5 if column.type == "date" else column.span * 1e-6
                slack += 1e-9 + abs(shown) * 1e-15
                right = abs(statistics.fmean(values) - shown) <= slack
            else:
                below = sum(v < shown for v in values)
                above = sum(v > shown for v in values)
                right = shown in values and max(below, above) * 2 <= len(values)
            require(right, column.name + ": the centre of a class is another")

    def figures(self):
        """NCP and all that, as docs/measures.md defines them."""
        count, ncp, height, silent = len(self.true), 0.0, 0, 0
        loss = [0.0] * len(self.columns)
        discernibility = 0
        for rows in self.classes.values():
            found = self.found[rows[0]]
            for c, column in enumerate(self.columns):
                penalty = len(rows) * column.penalty(found[c])
                loss[c] += penalty / count
                ncp += column.weight * penalty
                height += len(rows) * column.height(found[c])
            speaking = [(x, f) for x, f in zip(self.columns, found) if len(x.values) > 1]
            if speaking and all(x.is_suppressed(f) for x, f in speaking):
                silent += len(rows)
                discernibility += len(rows) * count
            else:
                discernibility += len(rows) ** 2
        weights = sum(c.weight for c in self.columns)
        full = count * sum(c.full_height() for c in self.columns)
        return {
            "records": count,
            "classes": len(self.classes),
            "smallest_class": min(map(len, self.classes.values())),
            "largest_class": max(map(len, self.classes.values())),
            "ncp": ncp,
            "gcp": ncp / (count * weights) if weights else 0.0,
            "discernibility": discernibility,
            "average_class_size": count / len(self.classes) / self.k,
            "distortion_ratio": height / full if full else 0.0,
            "suppressed": silent,
            "loss": {c.name: x for c, x in zip(self.columns, loss)},
        }

    def compare(self, told):
        """Hold the figures against the JSON of the program."""
        told = dict(told, suppressed=told["suppression"]["records"])
        told.update({c["name"]: c["loss"] for c in told["columns"]})
        mine = self.figures()
        mine.update(mine.pop("loss"))
        for name, value in mine.items():
            near = abs(value - told[name]) <= 1e-9 * max(1.0, abs(value))
            require(near, "%s is %.17g; told %.17g" % (name, value, told[name]))


def make_columns(original, names, hierarchies, weights, missing="error"):
    """The quasi-identifiers of a table that read_table has read."""
    header, records = original
    places = [header.index(name) for name in names]
    if missing == "drop":
        records = [r for r in records if not any(r[p] in TOKENS for p in places)]
    return [
        Column(name, [r[p] for r in records], hierarchies.get(name), weights.get(name, 1.0))
        for name, p in zip(names, places)
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("original")
    parser.add_argument("release")
    parser.add_argument("-k", type=int, required=True)
    parser.add_argument("--quasi", required=True)
    parser.add_argument("--hierarchy", action="append", default=[])
    parser.add_argument("--weight", action="append", default=[])
    parser.add_argument("--missing", default="error")
    parser.add_argument("--numeric", default="range")
    parser.add_argument("--delimiter", default=",")
    parser.add_argument("--figures")
    args = parser.parse_args()
    pairs = [x.split("=", 1) for x in args.hierarchy]
    hierarchies = {name: read_hierarchy(path) for name, path in pairs}
    weights = {name: float(w) for name, w in (x.split("=", 1) for x in args.weight)}
    original = read_table(args.original, args.delimiter)
    columns = make_columns(original, args.quasi.split(","), hierarchies, weights, args.missing)
    try:
        release = Release(original, read_table(args.release, ","), columns, args.k, args.missing,
                          args.numeric)
        release.check()
        if args.figures:
            with open(args.figures, encoding="utf-8") as file:
                release.compare(json.load(file))
        if args.numeric in ("range", "minmax"):
            print(json.dumps(release.figures()))
    except Wrong as wrong:
        sys.exit("check_release: %s." % wrong)


if __name__ == "__main__":
    main()
