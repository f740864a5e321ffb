#!/usr/bin/env python3
"""Run cases of the program and compare what they print.

    run.py --program PATH/TO/shoal [--update] CASE.sh...

A case is a bash script NAME.sh. It runs in an empty folder of its own with the program on the PATH as
`shoal`, and must print what NAME.stdout and NAME.stderr hold (nothing where there is no such file) and end
with the code in NAME.exit (0 where there is none). In them "..." stands for any text within a line, a line of
"..." alone for any lines. No temporary file of the program may be left behind.

--update rewrites the expectations that do not match; seconds become "...".
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = Path(__file__).resolve().parent
TIMEOUT_SECONDS = 120
STAGES = "read|prepare|anonymize|write|verify|measure|publish|parse|inspect|total"


def line_pattern(line):
    if line == "...":
        return r"(?:[^\n]*\n)*?"
    return r"[^\n]*?".join(re.escape(part) for part in line.split("...")) + r"\n"


def matches(expected, printed):
    if printed and not printed.endswith("\n"):
        printed += "\n"
    return re.fullmatch("".join(line_pattern(line) for line in expected.splitlines()), printed)


def hide_seconds(text):
    text = re.sub(r"(?m)^(Seconds +).*$", r"\1...", text)
    return re.sub(rf'(?m)^(    "(?:{STAGES})": )[0-9.e-]*(,?)$', r"\1...\2", text)


def run_case(case, program):
    """What it printed on stdout and stderr, its exit code, and the files it left over."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        programs = Path(folder) / "bin"
        work.mkdir()
        programs.mkdir()
        (programs / "shoal").symlink_to(program)
        environment = dict(os.environ, LC_ALL="C.UTF-8", CASES=str(CASES),
                           SOURCE=str(CASES.parent.parent),
                           PATH=f"{programs}:{os.environ['PATH']}")
        result = subprocess.run(["bash", "-u", str(case)], cwd=work, env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS)
        left = [str(path.relative_to(work)) for path in work.rglob(".*.shoal-*")]
    return (result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace"),
            f"{result.returncode}\n", left)


def check_case(case, program, update):
    """The differences, as a list of texts."""
    *printed, left = run_case(case, program)
    problems = [f"left behind: {name}" for name in left]
    for ending, default, text in zip((".stdout", ".stderr", ".exit"), ("", "", "0\n"), printed):
        path = case.with_suffix(ending)
        expected = path.read_text() if path.exists() else default
        if matches(expected, text):
            continue
        if update:
            path.unlink(missing_ok=True)
            if text != default:
                path.write_text(hide_seconds(text))
        else:
            problems.append(f"{path.name}: expected\n{expected}printed\n{text}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("cases", type=lambda text: Path(text).resolve(), nargs="+")
    options = parser.parse_args()

    failed = 0
    for case in options.cases:
        problems = check_case(case, options.program.resolve(), options.update)
        failed += bool(problems)
        for problem in problems:
            print(f"{case.name}: {problem}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
