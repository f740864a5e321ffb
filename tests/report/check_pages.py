#!/usr/bin/env python3
"""The pages of reports, without a browser: well-formed, escaped, with the figures of the JSON report, and
for readers outside without values and names of files.

    check_pages.py --program PATH/TO/shoal [--write FOLDER]

--write leaves the pages and their JSON reports in a folder, for tests in a browser.
"""

import argparse
import csv
import hashlib
import html.parser
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VOID = {"meta", "link", "br", "img", "hr", "input"}
HOSTILE = '<script>alert("1")</script>'
HOSTILE_VALUES = ['"><img src=x onerror=alert(1)>', "R&D <b>bold</b>", "O'Brien\u2028</svg>", "tab\there",
                  "\u0001control", "{{7*7}}", "zürich–ost"]
COLUMNS = ["age", HOSTILE, "born", "height", "diagnosis", "name"]
INTERNAL_NAME = "very-secret-input"
ABOUT = {"title": "<h1>\"Title\" & '", "author": "A. <script>alert(2)</script> B", "purpose": "\"><img src=x onerror=alert(3)>",
         "date": "2026-03-31 --><b>"}
SIGN_OFF = ["Data protection officer", "</li><script>alert(4)</script>", "\u202eOfficer"]


class Samples(html.parser.HTMLParser):
    """The table of records before and after: its heads, and rows of cells."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.is_inside = False
        self.rows = []
        self.cell = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "section":
            self.is_inside = dict(attributes)["id"] == "samples"
        elif self.is_inside and tag == "tr":
            self.rows.append([])
        elif self.is_inside and tag in ("td", "th"):
            self.cell = []

    def handle_endtag(self, tag):
        if self.cell is not None and tag in ("td", "th"):
            self.rows[-1].append("".join(self.cell))
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)


class Page(html.parser.HTMLParser):
    """Reads a page as strictly as the parser allows: every element closed in its order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open = []
        self.problems = []
        self.ids = []
        self.links = []
        self.figures = {}
        self.elements = {}
        self.text = []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        self.elements[tag] = self.elements.get(tag, 0) + 1
        if len(names) != len(attributes):
            self.problems.append(f"an attribute twice in <{tag}>")
        for name in names:
            if name.startswith("on") or name in ("src", "srcset"):
                self.problems.append(f"attribute {name} in <{tag}>")
        if "id" in names:
            self.ids.append(names["id"])
        if names.get("href", "#").startswith("#"):
            self.links += [names["href"][1:]] if "href" in names else []
        elif names["href"] != "data:,":
            self.problems.append(f"a link to elsewhere: {names['href']}")
        if "data-figure" in names:
            self.figures.setdefault(names["data-figure"], []).append(names["value"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


def fail(message):
    print(message)
    sys.exit(1)


def expect(condition, message):
    if not condition:
        fail(message)


def find_figure(report, path):
    """The value at a path such as risk.release.class_sizes.0.records."""
    value = report
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def check_page(text, report, name):
    page = Page(text)
    expect(not page.problems, f"{name}: {page.problems[:5]}")
    expect(text.startswith("<!DOCTYPE html>\n<html lang="), f"{name}: starts otherwise")
    expect(len(set(page.ids)) == len(page.ids), f"{name}: an id twice")
    expect(set(page.links) <= set(page.ids), f"{name}: links to nowhere")
    for tag in ("script", "img", "iframe", "object", "form"):
        expect(tag not in page.elements, f"{name}: has <{tag}>")
    for tag in ("title", "h1", "main", "nav", "table", "caption"):
        expect(tag in page.elements, f"{name}: has no <{tag}>")
    expect("@import" not in text and "url(" not in text, f"{name}: loads something")
    for path, values in page.figures.items():
        expected = find_figure(report, path)
        for value in values:
            same = value == "" if expected is None else value != "" and float(value) == expected
            expect(same, f"{name}: {path} is {value}, in JSON {expected}")
    return page


def quote(cell):
    return '"' + cell.replace('"', '""') + '"'


def write_table(path, seed):
    """A hostile table; gives back all texts of its cells."""
    source = random.Random(seed)
    cells = set()
    with open(path, "w", encoding="utf-8") as file:
        print(",".join(quote(column) for column in COLUMNS), file=file)
        for i in range(200):
            row = [str(source.randrange(170, 260)), source.choice(HOSTILE_VALUES),
                   f"19{source.randrange(40, 99)}-{source.randrange(1, 13):02}-{source.randrange(1, 29):02}",
                   f"{source.randrange(10, 90) / 7:.5f}", source.choice(["zqflu", "zqgout<i>", "zqHIV&amp;"]),
                   f"zqperson{i}"]
            cells.update(row)
            print(",".join(quote(cell) for cell in row), file=file)
    return cells


def run(program, *arguments, code=0):
    result = subprocess.run([program, *arguments], capture_output=True, text=True)
    expect(result.returncode == code, f"{arguments}: exit code {result.returncode}\n{result.stderr}")
    return result.stdout


def columns_of(*more):
    return ["--spec", "spec.yaml", *more]


def write_spec(path):
    path.write_text(f"""
columns:
  age: {{role: quasi}}
  '{HOSTILE}': {{role: quasi}}
  born: {{role: quasi, hierarchy: dates}}
  height: {{role: quasi, type: real}}
  diagnosis: {{role: sensitive}}
  name: {{role: identifier}}
privacy:
  k: 4
  alpha: {{value: 0.75, values: ["zqHIV&amp;"]}}
risk: {{thresholds: [0.5, 0.1], sampling_fraction: 0.25}}
report: {json.dumps(dict(ABOUT, sign_off=SIGN_OFF))}
""", encoding="utf-8")


def check_external(page, text, cells, name):
    """No text of a cell, however written, and no name of a file."""
    shown = " ".join(page.text)
    for cell in cells:
        # Digits may be a count or a share by chance; those of this table are longer, or not plain numbers.
        if re.fullmatch(r"[0-9]{1,3}", cell):
            continue
        expect(cell not in shown and cell not in text, f"{name}: shows {cell!r}")
    for word in (INTERNAL_NAME, "release.csv", ".csv", "spec.yaml", "/tmp"):
        expect(word not in text, f"{name}: shows {word!r}")


def check_about(page, text, name):
    """What the spec says of the report stands on the page as text, the signatures in their order."""
    shown = " ".join(page.text)
    for word in (*ABOUT.values(), *SIGN_OFF):
        expect(word in shown, f"{name}: does not say {word!r}")
        expect("<" not in word or word not in text, f"{name}: {word!r} is not escaped")
    places = [shown.index(word) for word in SIGN_OFF]
    expect(places == sorted(places), f"{name}: signatures in another order")
    expect("sign-off" in page.ids, f"{name}: no section to sign")


def check_anonymize(program, work):
    cells = write_table(work / f"{INTERNAL_NAME}.csv", 1)
    write_spec(work / "spec.yaml")
    common = ["anonymize", f"{INTERNAL_NAME}.csv", "-o", "release.csv", "--quiet", "--show-values",
              *columns_of()]
    run(program, *common, "--report", "report.html", "--report-external", "external.html")
    run(program, *common, "--report", "report.json")
    report = json.loads((work / "report.json").read_text())
    for key, file in (("input", f"{INTERNAL_NAME}.csv"), ("release", "release.csv")):
        digest = hashlib.sha256((work / file).read_bytes()).hexdigest()
        expect(report["sha256"][key] == digest, f"the digest of {file}")
    internal = (work / "report.html").read_text()
    page = check_page(internal, report, "report.html")
    expect(len(page.figures) > 80, f"only {len(page.figures)} figures")
    shown = " ".join(page.text)
    expect(HOSTILE in shown and HOSTILE not in internal, "the hostile column is not shown as text")
    expect(HOSTILE_VALUES[1] in shown, "a hostile value is not shown as text")
    expect(report["sha256"]["input"] in shown and f"{INTERNAL_NAME}.csv" in shown, "files are not named")
    check_about(page, internal, "report.html")
    expect(report["about"] == dict(ABOUT, sign_off=SIGN_OFF), "what JSON says of the report")
    expect("zqHIV" in shown, "with --show-values the named value is shown")
    for word in ("Verified", "Repeated releases", "Background knowledge", "Prosecutor", "Journalist"):
        expect(word in shown, f"does not say {word}")

    external = (work / "external.html").read_text()
    page = check_page(external, report, "external.html")
    check_external(page, external, cells, "external.html")
    check_about(page, external, "external.html")
    expect(report["sha256"]["release"] in external, "external: no digest")


def write_people(path, records):
    """A plain table, every record of which can be told from the others by its number."""
    source = random.Random(9)
    rows = [{"age": str(source.randrange(18, 90)), "sex": source.choice("MF"), "born": f"19{source.randrange(40, 99)}-05-17",
             "number": f"n{i}", "ill": source.choice(["flu", "gout", "HIV", "cough"])} for i in range(records)]
    with open(path, "w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return rows


def read_released(work):
    with open(work / "out.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown_samples(work, records):
    """The records of the internal page, by the rule of the documents; of the external page there must be none."""
    table = Samples((work / "p.html").read_text()).rows
    expect(not Samples((work / "e.html").read_text()).rows, "the external page shows records")
    heads = table[0][1:]
    count = min(10, records)
    expect(len(table) == 1 + 2 * count, f"{len(table)} lines of samples")
    numbers = [(2 * i + 1) * records // (2 * count) for i in range(count)]
    return [(number, dict(zip(heads, table[1 + 2 * i][1:])), dict(zip(heads, table[2 + 2 * i][1:])))
            for i, number in enumerate(numbers)]


def check_samples(program, work):
    """The same records on both sides, as they were and as they were written, in every form of a release."""
    quasi = ["--quasi", "age,sex,born", "--type", "born=date", "--sensitive", "ill", "--insensitive", "number"]
    forms = [(["--numeric", form], {"age": join, "born": join, "sex": None}) for form, join in
             (("range", None), ("minmax", ("_min", "_max")), ("mean", None), ("median", None))]
    for records in (1, 9, 10, 11, 100, 207):
        people = write_people(work / "people.csv", records)
        for options, joined in forms if records > 1 else forms[:1]:
            run(program, "anonymize", "people.csv", "-o", "out.csv", "-k", str(min(3, records)), "--quiet", "--keep-order", *quasi,
                *options, "--report", "p.html", "--report-external", "e.html", "--method", "topdown")
            released = read_released(work)
            for number, before, after in shown_samples(work, records):
                expect(before == people[number], f"{options}, {records} records: {before} is not {people[number]}")
                for name, shown in after.items():
                    ends = joined.get(name)
                    wanted = (" to ".join(released[number][name + end] for end in ends) if ends else released[number][name])
                    expect(shown == wanted, f"{options}: record {number}, {name}: {shown}, not {wanted}")
    check_hidden_samples(program, work, people, quasi)


def check_hidden_samples(program, work, people, quasi):
    """Buckets name the bucket; rows that are dealt out show what a row of the release shows."""
    common = ["--quiet", *quasi, "--report", "p.html", "--report-external", "e.html"]
    run(program, "anonymize", "people.csv", "-o", "out.csv", "--l", "2", "--method", "anatomy", *common)
    bucket_of = {row["number"]: row["bucket"] for row in read_released(work)}
    for number, before, after in shown_samples(work, len(people)):
        expect(before == people[number], f"buckets: {before}")
        expect(after == dict(before, ill=f"bucket {bucket_of[before['number']]}"), f"buckets: {after}")
    run(program, "anonymize", "people.csv", "-o", "out.csv", "-k", "3", "--method", "nonhomogeneous", *common)
    released = read_released(work)
    for number, before, after in shown_samples(work, len(people)):
        expect(before == people[number], f"a box per record: {before}")
        expect(after in [{name: row[name] for name in after} for row in released], f"a box per record: {after}")


def check_persons(program, work):
    """Where persons are counted the page says so, and not that their records count as people."""
    with open(work / "visits.csv", "w", encoding="utf-8") as file:
        print("person,age,ill", file=file)
        for i in range(60):
            print(f"p{i // 2},{20 + i // 2},{'flu' if i % 3 else 'gout'}", file=file)
    for more, said, unsaid in ((["--person", "person"], "Persons were counted, not records", "Several records of one person"),
                               (["--identifier", "person"], "Several records of one person", "Persons were counted")):
        run(program, "anonymize", "visits.csv", "-o", "out.csv", "-k", "3", "--quasi", "age", "--sensitive", "ill", "--quiet",
            "--report", "p.html", *more)
        shown = " ".join(Page((work / "p.html").read_text()).text)
        expect(said in shown and unsaid not in shown, f"{more}: {said}")


def check_others(program, work):
    """verify, measure and risk write pages too, each with what it knows."""
    for command, code in ((["verify", "release.csv"], 0),
                          (["measure", f"{INTERNAL_NAME}.csv", "release.csv"], 0),
                          (["measure", f"{INTERNAL_NAME}.csv", "release.csv", "--attacks",
                            "linkage,homogeneity,definetti,matching"], 0),
                          (["attack", f"{INTERNAL_NAME}.csv", "release.csv", "-k", "4", "--known", "0.5"], 0),
                          (["risk", f"{INTERNAL_NAME}.csv", "release.csv"], 0),
                          (["risk", f"{INTERNAL_NAME}.csv"], 0),
                          (["verify", "release.csv", "-k", "50"], 4)):
        arguments = [*command, "--quiet", *columns_of()]
        run(program, *arguments, "--report", "other.html", "--report-external", "other-external.html",
            code=code)
        run(program, *arguments, "--report", "other.json", code=code)
        report = json.loads((work / "other.json").read_text())
        name = " ".join(command)
        page = check_page((work / "other.html").read_text(), report, name)
        expect(("Not met" in " ".join(page.text)) == (code == 4), f"{name}: the verdict")
        check_page((work / "other-external.html").read_text(), report, name + ", external")


def check_reproducible(program, work):
    """The same bytes from the same run on any number of threads."""
    first = (work / "report.html").read_bytes()
    run(program, "anonymize", f"{INTERNAL_NAME}.csv", "-o", "release.csv", "--quiet", "--show-values",
        "--threads", "1", *columns_of("--report", "report.html"))
    expect((work / "report.html").read_bytes() == first, "the page differs from run to run")


def write_plain(program, work):
    """A page as boards get it: long names, many columns and values, dates with and without a hierarchy."""
    source = random.Random(4)
    jobs = ["nurse", "teacher", "software developer for embedded systems", "Straßenbahnfahrerin", "W" * 30, "白衣の天使の仕事を長く続けた人"]
    with open(work / "plain.csv", "w", encoding="utf-8") as file:
        print("admitted,born,income,weight,job,a column whose name is long,diagnosis", file=file)
        for i in range(400):
            print(f"20{source.randrange(20, 25)}-{source.randrange(1, 13):02}-05,19{source.randrange(20, 99)}-0{source.randrange(1, 9)}-17,"
                  f"{int(source.lognormvariate(10, 1))},{source.gauss(74, 13):.1f},{source.choice(jobs)},{'x' * (i % 40)},"
                  f"{source.choice(['flu', 'diabetes mellitus type 2 with complications', 'gout'])}", file=file)
    (work / "plain.yaml").write_text("""
columns:
  admitted: {role: quasi, type: date, hierarchy: dates}
  born: {role: quasi, type: date}
  weight: {role: quasi, type: real}
  job: quasi
  income: sensitive
  diagnosis: sensitive
  a column whose name is long: insensitive
privacy: {k: 4}
attack: {names: [linkage, homogeneity]}
report: {title: "A title that is rather long and goes on for some time, as titles of registers do", sign_off: [A, B]}
""", encoding="utf-8")
    run(program, "anonymize", "plain.csv", "-o", "plain-release.csv", "--spec", "plain.yaml", "--quiet", "--report", "plain.html")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=lambda path: str(Path(path).resolve()), required=True)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        os.chdir(work)
        check_anonymize(options.program, work)
        check_reproducible(options.program, work)
        if options.write:
            options.write.mkdir(parents=True, exist_ok=True)
            write_plain(options.program, work)
            for name in ("report.html", "external.html", "report.json", "plain.html"):
                (options.write / name).write_bytes((work / name).read_bytes())
        else:
            check_samples(options.program, work)
            check_persons(options.program, work)
            check_others(options.program, work)
        os.chdir("/")


if __name__ == "__main__":
    main()
