#!/usr/bin/env python3
"""Run the examples of the documents and compare what they print.

    check_docs.py --program PATH/TO/shoal DOCUMENT...

An example is a fenced block marked `console`. A line "$ command" is run by bash, lines "> ..."
continue it, and what follows up to the next "$" is what it must print, standard output and
standard error together. "..." stands for any text within a line; a line of "..." alone for any
lines. The blocks of a document run one after another in one empty folder, with the
program on the PATH as `shoal` and examples/ of this tree reachable as `examples`. Blocks marked
otherwise (`sh`, `text`, `c`) are not run.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS = 60


class Example:
    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.expected = []


def parse_examples(text):
    """The examples of a document, in order."""
    examples = []
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith("```"):
            in_block = not in_block and line.strip() == "```console"
            continue_command = False
        elif in_block and line.startswith("$ "):
            examples.append(Example(number, line[2:]))
            continue_command = True
        elif in_block and continue_command and line.startswith("> "):
            examples[-1].command += "\n" + line[2:]
        elif in_block and examples:
            examples[-1].expected.append(line)
            continue_command = False
    return examples


def line_pattern(line):
    if line.strip() == "...":
        return r"(?:[^\n]*\n)*?"
    return r"[^\n]*?".join(re.escape(part) for part in line.split("...")) + r"\n"


def matches(expected, printed):
    while expected and not expected[-1].strip():
        expected = expected[:-1]
    pattern = "".join(line_pattern(line.rstrip()) for line in expected)
    printed = "".join(line.rstrip() + "\n" for line in printed.rstrip().splitlines())
    return re.fullmatch(pattern, printed) is not None


def run_example(example, folder, environment):
    """None when it prints what it should, else what is wrong."""
    try:
        result = subprocess.run(["bash", "-c", example.command], cwd=folder, env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"still running after {TIMEOUT_SECONDS} s"
    printed = result.stdout.decode("utf-8", "replace")
    if matches(example.expected, printed):
        return None
    return "expected:\n" + "\n".join(example.expected) + "\nprinted:\n" + printed.rstrip()


def check_document(path, program):
    """How many examples it has, and the failures among them."""
    examples = parse_examples(path.read_text())
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        programs = Path(folder) / "bin"
        work.mkdir()
        programs.mkdir()
        (programs / "shoal").symlink_to(program)
        (work / "examples").symlink_to(ROOT / "examples")
        environment = dict(os.environ, LC_ALL="C.UTF-8", PATH=f"{programs}:{os.environ['PATH']}")
        for example in examples:
            problem = run_example(example, work, environment)
            if problem:
                failures.append(f"{path}:{example.line}: $ {example.command}\n{problem}\n")
    return len(examples), failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("documents", type=Path, nargs="+")
    options = parser.parse_args()

    count = 0
    failures = []
    for path in options.documents:
        found, wrong = check_document(path, options.program.resolve())
        count += found
        failures += wrong
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{count} examples, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
