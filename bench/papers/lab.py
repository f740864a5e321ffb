"""What the papers' experiments share: the program, the data, tables, and a figure with its verdict."""
import csv
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

import plot

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "shoal"
WORK = ROOT / "build" / "bench"
DATA = pathlib.Path(os.environ.get("SHOAL_DATA", ROOT.parent / "shared" / "data"))
PAGES = ROOT / "docs" / "papers"

REPRODUCED, PARTLY, NOT = "reproduced", "partly reproduced", "not reproduced"


@dataclasses.dataclass
class Figure:
    """A figure of a paper: what the paper says of it, and what came out here."""

    name: str  # "XU 6"
    title: str
    says: str
    verdict: str
    finding: str
    table: str
    plots: list = dataclasses.field(default_factory=list)  # names of SVG files in docs/papers


def judge(checks):
    """The verdict of a list of (what was expected, whether it holds), and the sentence for it."""
    held = [text for text, holds in checks if holds]
    failed = [text for text, holds in checks if not holds]
    verdict = REPRODUCED if not failed else PARTLY if held else NOT
    sentence = "Holds: " + "; ".join(held) + "." if held else ""
    if failed:
        sentence += " Does not hold: " + "; ".join(failed) + "."
    return verdict, sentence.strip()


def run_program(*arguments):
    command = [str(PROGRAM), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(" ".join(command) + "\n" + done.stderr)
    return done.stdout


def anonymize(source, *arguments, release="release.csv"):
    """The report of one run; the release lies in WORK."""
    return json.loads(run_program(
        "anonymize", source, "-o", WORK / release, "--json", "--quiet", *arguments))


def query_error(source, release, *arguments):
    """The mean relative error of a workload of random queries."""
    report = json.loads(run_program(
        "query", WORK / release, "--original", source, "--json", "--quiet", *arguments))
    return report["query_error"]


def write_complete(name, expected):
    """The complete records of a file of Adult; their number must be the paper's."""
    path = WORK / f"complete-{name}"
    with open(DATA / "adult" / name, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and "?" not in row]
    if len(rows) - 1 != expected:
        sys.exit(f"{name}: expected {expected} complete records, found {len(rows) - 1}")
    WORK.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


def generate(kind, records, *arguments):
    path = WORK / "-".join([kind, str(records), *map(str, arguments)]).replace("--", "")
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        run_program("generate", kind, "--records", records, *arguments, "-o", path)
    return path


def format_table(head, rows):
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, rule, *rows])


def tabulate(curves, label, form):
    """A table with a column for every curve; all curves have the same x."""
    names = list(curves)
    xs = [x for x, _ in curves[names[0]]]
    return format_table([label, *names], [
        [x, *(format(dict(curves[name])[x], form) for name in names)] for x in xs])


def draw(name, title, curves, x_label, y_label, **options):
    PAGES.mkdir(parents=True, exist_ok=True)
    (PAGES / f"{name}.svg").write_text(
        plot.draw_curves(title, curves, x_label, y_label, **options), encoding="utf-8")
    return f"{name}.svg"


def is_below(curves, low, high, slack=1.0):
    """Whether one curve is at most another at every x."""
    other = dict(curves[high])
    return all(y <= other[x] * slack for x, y in curves[low])


def mean(values):
    values = list(values)
    return sum(values) / len(values)
