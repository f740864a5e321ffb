#!/usr/bin/env python3
"""Run the examples of the documents and compare what they print.

    check_docs.py --program PATH/TO/shoal DOCUMENT...

An example is a fenced block marked `console`. A line "$ command" is run by bash, lines "> ..."
continue it, and what follows up to the next "$" is what it must print, standard output and
standard error together; for "..." see expectation.py. The blocks of a document run one after
another in one empty folder, with the program on the PATH as `shoal` and examples/ of this tree reachable
as `examples`. Blocks marked otherwise (`sh`, `text`, `c`) are not run.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from expectation import decode, matches, workplace

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


def run_example(example, run):
    """None when it prints what it should, else what is wrong."""
    try:
        result = run("-c", example.command, stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"still running after {TIMEOUT_SECONDS} s"
    printed = decode(result.stdout)
    expected = "\n".join(example.expected).rstrip("\n")
    if matches(expected, printed):
        return None
    return f"expected:\n{expected}\nprinted:\n{printed.rstrip()}"


def check_document(path, program):
    """How many examples it has, and the failures among them."""
    examples = parse_examples(path.read_text())
    failures = []
    with workplace(program) as (work, run):
        (work / "examples").symlink_to(ROOT / "examples")
        for example in examples:
            problem = run_example(example, run)
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
        found, wrong = check_document(path, options.program)
        count += found
        failures += wrong
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{count} examples, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
