#!/usr/bin/env python3
"""Repeat every experiment of the four papers.

    bench/papers/run.py                  measure and print
    bench/papers/run.py --write          also write docs/papers.md and the plots in docs/papers
    bench/papers/run.py --only lili      one paper: xu, wong, clust or lili

A figure's verdict is computed from the numbers: every expectation of the paper is a condition that
holds or does not. The data are looked for in $SHOAL_DATA or ../shared/data; figures whose data are not
there are left out, and named.
"""
import argparse
import re
import subprocess
import sys

import clust
import lab
import lili
import xu

PAGE = lab.ROOT / "docs" / "papers.md"
PAPERS = {
    "xu": (xu, "Xu and others, *Utility-based anonymization using local recoding*, KDD 2006, "
               "doi:10.1145/1150402.1150504"),
    "clust": (clust, "*Clustering-based k-anonymity* (binary k-means under NCP)"),
    "lili": (lili, "Li and Li, *On the tradeoff between privacy and utility in data publishing*, KDD 2009, "
                   "doi:10.1145/1557019.1557079"),
}


def format_figure(figure):
    images = "".join(f"\n![{figure.title}](papers/{name})\n" for name in figure.plots)
    return (f"### {figure.name}: {figure.title}\n\nThe paper: {figure.says}.\n\n"
            f"**{figure.verdict.capitalize()}.** {figure.finding}\n\n{figure.table}\n{images}")


def format_part(name, figures):
    _, title = PAPERS[name]
    head = f"## {name.upper()}\n\n{title}.\n\n"
    return head + "\n".join(format_figure(figure) for figure in figures)


def write_part(name, text):
    """Put a paper between its markers in the page."""
    page = PAGE.read_text(encoding="utf-8")
    pattern = rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)"
    page, count = re.subn(pattern, lambda found: found[1] + text + found[2], page, flags=re.S)
    if count != 1:
        sys.exit(f"{PAGE}: no place for {name}")
    PAGE.write_text(page, encoding="utf-8")


def summarize():
    """The verdicts of the whole page, as a table at its head."""
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^### (.+?): (.+)\n\nThe paper: .*\n\n\*\*(.+?)\.\*\*", page, flags=re.M)
    table = lab.format_table(["figure", "what", "verdict"], [list(row) for row in rows])
    write_part("summary", table + "\n")


def run_wong(write):
    """It has a page of its own, whose tables it fills."""
    command = [sys.executable, "-B", str(lab.ROOT / "bench" / "papers" / "wong.py")]
    subprocess.run(command + (["--write"] if write else []), check=True)


def main():
    parser = argparse.ArgumentParser(description="Repeat the papers' experiments.")
    parser.add_argument("--only", choices=[*PAPERS, "wong"], help="one paper")
    parser.add_argument("--write", action="store_true", help="write docs/papers.md and its plots")
    options = parser.parse_args()
    if not lab.PROGRAM.exists():
        sys.exit(f"{lab.PROGRAM} is missing; run make first")
    lab.WORK.mkdir(parents=True, exist_ok=True)
    for name, (paper, _) in PAPERS.items():
        if options.only not in (None, name):
            continue
        figures = []
        for figure in paper.run():
            print(f"{figure.name}: {figure.verdict}. {figure.finding}", flush=True)
            figures.append(figure)
        if not figures:
            print(f"{name}: left out, its data are not there")
        elif options.write:
            write_part(name, format_part(name, figures))
    if options.only in (None, "wong"):
        run_wong(options.write)
    if options.write:
        summarize()


if __name__ == "__main__":
    main()
