#!/usr/bin/env python3
"""The page of a frontier, without a browser: well-formed, escaped, with a number and all that it asks for of every
point, round ticks, and lines that make the recommended release when a shell runs them.

    check_frontier.py --program PATH/TO/shoal [--write FOLDER]

--write leaves pages in a folder, for tests in a browser.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import tempfile
from decimal import Decimal
from pathlib import Path

from check_pages import Page, expect, run

HOSTILE = "<script>alert('1')</script>"


class Frontier(Page):
    """The rows of the table, the lines for a shell, and the texts and titles of the picture."""

    def __init__(self, text):
        self.rows = []
        self.command = ""
        self.texts = []
        self.titles = []
        self.is_picture = False
        super().__init__(text)

    def handle_starttag(self, tag, attributes):
        super().handle_starttag(tag, attributes)
        names = dict(attributes)
        if tag == "svg":
            self.is_picture = True
        if tag == "text" and self.is_picture:
            self.texts.append(dict(names, text=""))
        if tag == "title":
            self.titles.append("")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        super().handle_data(data)
        if self.open and self.open[-1] == "title":
            self.titles[-1] += data
        if "pre" in self.open:
            self.command += data
        if self.open and self.open[-1] == "text":
            self.texts[-1]["text"] += data
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def read_page(path):
    text = path.read_text(encoding="utf-8")
    page = Frontier(text)
    expect(not page.problems, f"{path}: {page.problems[:5]}")
    expect(text.startswith("<!DOCTYPE html>\n<html lang="), f"{path}: starts otherwise")
    expect(len(set(page.ids)) == len(page.ids), f"{path}: an id twice")
    for tag in ("script", "iframe", "object", "form"):
        expect(tag not in page.elements, f"{path}: has <{tag}>")
    expect("@import" not in text and "url(" not in text, f"{path}: loads something")
    return page


def write_people(path):
    with open(path, "w", encoding="utf-8") as file:
        print(f'age,job,"{HOSTILE}"', file=file)
        for i in range(120):
            print(f"{20 + i * 7 % 41},{['nurse', 'baker', 'clerk', 'smith'][i % 4]},i{i * i % 5}", file=file)


def write_jobs(path):
    path.parent.mkdir()
    path.write_text("nurse,office,*\nclerk,office,*\nbaker,craft,*\nsmith,craft,*\n", encoding="utf-8")


def write_spec(path):
    """Paths of a spec count from its own folder, which is not the one that the page's lines run in."""
    path.write_text(f"""
columns:
  age: {{role: quasi}}
  job: {{role: quasi, hierarchy: job.csv}}
  "{HOSTILE}": {{role: sensitive}}
privacy: {{k: 3}}
frontier:
  sweep: {{k: [4, 4, 12], t: ["{HOSTILE}=0.2", 0.4]}}
  methods: [mondrian, topdown]
  axes: [highest_risk, gcp]
  max: {{highest_risk: 0.2}}
seed: 3
""", encoding="utf-8")


def check_points(page, points):
    """Every point of the CSV file is a row, with all that it asks for, and those that are done are marks."""
    rows = page.rows[1:]
    expect(len(rows) == len(points), f"{len(rows)} rows of {len(points)} points")
    for i, (row, point) in enumerate(zip(rows, points)):
        expect(row[:3] == [str(i + 1), point["asks"], point["method"]], f"row {row}, point {point}")
        asked = "k 3" if point["key"] == "t" else point["requirement"]
        expect(asked in point["asks"] and point["requirement"] in point["asks"], f"{point} does not ask for {asked}")
        # Some marks of the legend have the same shape; marks of points tell what they are.
        expect(any(text.startswith(f"{i + 1}: {point['asks']} by {point['method']}") for text in page.titles),
               f"no mark of point {i + 1}")
    names = [text["text"] for text in page.texts if "name" in text.get("class", "")]
    for i, point in enumerate(points):
        if point["recommended"] == "yes":
            expect(f"{i + 1}: {point['asks']}" in names, f"the recommended one has no label: {names}")


def check_ticks(page):
    """Steps of 1, 2 or 5 times a power of ten, from 0 on."""
    for anchor in ("middle", "end"):
        ticks = [text["text"] for text in page.texts
                 if text.get("class") == "soft" and text.get("text-anchor") == anchor]
        expect(len(ticks) >= 2 and all(tick.endswith("%") for tick in ticks), f"ticks {ticks}")
        values = [Decimal(tick[:-1].replace(",", "")) for tick in ticks]
        step = values[1]
        expect(values == [step * i for i in range(len(values))], f"ticks {ticks}")
        expect(step.normalize().as_tuple().digits in ((1,), (2,), (5,)), f"ticks {ticks}")


def check_command(page, work, program, points):
    """The lines make the release whose figures the table has, byte for byte that of the spec in JSON."""
    place = work / "bin"
    place.mkdir(exist_ok=True)
    (place / "shoal").unlink(missing_ok=True)
    (place / "shoal").symlink_to(program)
    environment = dict(os.environ, PATH=f"{place}:{os.environ['PATH']}")
    result = subprocess.run(["sh", "-e", "-c", page.command], env=environment, capture_output=True, text=True)
    expect(result.returncode == 0, f"the lines end with {result.returncode}: {result.stderr}\n{page.command}")
    report = json.loads((work / "points.json").read_text())
    chosen = [point for point in report["points"] if point.get("recommended")]
    (work / "again.yaml").write_text(chosen[0]["spec"])
    run(program, "anonymize", page_input(), "-o", "again.csv", "--spec", "again.yaml", "--quiet")
    expect((work / "again.csv").read_bytes() == (work / "release.csv").read_bytes(), "another release")
    measured = json.loads(run(program, "measure", page_input(), "release.csv", "--spec", "recommended.yaml", "--json"))
    point = [point for point in points if point["recommended"] == "yes"][0]
    expect(abs(measured["gcp"] - float(point["gcp"])) < 1e-9, f"a loss of {measured['gcp']}, not {point['gcp']}")
    run(program, "verify", "release.csv", "--spec", "recommended.yaml", "--quiet")


def page_input():
    return "people of 'today' & $HOME.csv"


def check_recommended(program, work):
    write_people(work / page_input())
    write_jobs(work / "specs/job.csv")
    write_spec(work / "specs/spec.yaml")
    run(program, "frontier", page_input(), "--spec", "specs/spec.yaml", "-o", "points.csv", "--plot", "frontier.html",
        "--report", "points.json", "--quiet")
    run(program, "frontier", page_input(), "--spec", "specs/spec.yaml", "--plot", "frontier.svg", "--quiet")
    page = read_page(work / "frontier.html")
    with open(work / "points.csv", encoding="utf-8", newline="") as file:
        points = list(csv.DictReader(file))
    expect((work / "frontier.svg").read_text() in (work / "frontier.html").read_text(), "two pictures")
    check_points(page, points)
    check_ticks(page)
    titles = " ".join(text["text"] for text in page.texts)
    for words in ("Highest chance that a record is found, in %", "Information lost (GCP), in %"):
        expect(words in titles, f"no axis {words}")
    expect(HOSTILE in " ".join(page.text) and HOSTILE not in (work / "frontier.html").read_text(), "not escaped")
    check_command(page, work, program, points)


def check_without(program, work):
    """Without a limit, with one that nothing meets, and where a spec names values."""
    common = ["frontier", page_input(), "--quiet", "--quasi", "age,job", "--sensitive", HOSTILE, "--sweep", "k=2,5", "--try",
              "mondrian"]
    run(program, *common, "--plot", "none.html")
    shown = " ".join(read_page(work / "none.html").text)
    expect("no limit was given" in shown and "recommended.yaml" not in shown, "a page without limits")
    run(program, *common, "--max-gcp", "0.0001", "--plot", "none.html", code=4)
    expect("No release that was tried is within the limits" in " ".join(read_page(work / "none.html").text), "beyond limits")
    named = [*common, "--alpha", "0.9:i1", "--max-risk", "0.5", "--plot", "none.html"]
    run(program, *named)
    page = read_page(work / "none.html")
    expect("i1" not in " ".join(page.text) and "show_values" in " ".join(page.text), "a value is named")
    run(program, *named, "--show-values")
    expect("i1" in read_page(work / "none.html").command, "with --show-values it is not")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=lambda path: str(Path(path).resolve()), required=True)
    parser.add_argument("--write", type=lambda path: Path(path).resolve())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        os.chdir(work)
        check_recommended(options.program, work)
        if options.write:
            shutil.copy(work / "frontier.html", options.write / "frontier.html")
        else:
            check_without(options.program, work)
        os.chdir("/")


if __name__ == "__main__":
    main()
