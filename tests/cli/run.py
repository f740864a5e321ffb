#!/usr/bin/env python3
"""Run cases of the program and compare what they print.

    run.py --program PATH/TO/shoal [--update] CASE.sh...

A case is a bash script NAME.sh. It runs in an empty folder of its own with the program on the PATH as
`shoal`, and must print what NAME.stdout and NAME.stderr hold (nothing where there is no such file) and end
with the code in NAME.exit (0 where there is none); for "..." in them see tools/expectation.py. No temporary
file of the program may be left behind. A case that ends with 77 cannot run on this machine and is skipped.

--update rewrites the expectations that do not match; seconds become "...".
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).resolve().parent
ROOT = CASES.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from expectation import decode, matches, workplace  # noqa: E402

TIMEOUT_SECONDS = 120
SKIPPED = 77
STAGES = "divide|merge|report|risk|attack|query|read|prepare|anonymize|write|verify|measure|publish|parse|inspect|total"


def hide_seconds(text):
    text = re.sub(r"(?m)^(Seconds +).*$", r"\1...", text)
    return re.sub(rf'(?m)^(    "(?:{STAGES})": )[0-9.e-]*(,?)$', r"\1...\2", text)


def run_case(case, program):
    """What it printed on stdout and stderr, its exit code, and the files it left over."""
    with workplace(program) as (work, run):
        result = run("-u", str(case), stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS,
                     variables={"CASES": str(CASES), "SOURCE": str(ROOT)})
        left = [str(path.relative_to(work)) for path in work.rglob(".*.shoal-*")]
    return decode(result.stdout), decode(result.stderr), f"{result.returncode}\n", left


def check_case(case, program, update):
    """The differences, as a list of texts; None when the case was skipped."""
    *printed, left = run_case(case, program)
    if printed[2] == f"{SKIPPED}\n":
        return None
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

    results = [(case, check_case(case, options.program, options.update)) for case in options.cases]
    for case, problems in results:
        for problem in problems or []:
            print(f"{case.name}: {problem}")
    if any(problems for _, problems in results):
        return 1
    return SKIPPED if all(problems is None for _, problems in results) else 0


if __name__ == "__main__":
    sys.exit(main())
