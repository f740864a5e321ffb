"""Golden cases of the program, run through the package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT

CASES = ROOT / "tests/cli"
# A case of each kind for every commit; the others take long.
EVERY = ["anonymize_minmax", "anonymize_mean", "anonymize_dates", "anonymize_breaks_and_flat", "anonymize_hierarchies",
         "verify", "measure", "missing_keep", "require_l", "refine", "query", "risk"]
KINDS = ("anonymize", "best", "bound", "buckets", "constant", "equal", "exact", "frontier", "hierarchy", "inspect", "many",
         "measure", "missing", "names", "one", "own", "query", "refine", "require", "risk", "stray", "suppress", "verify")
# A table in memory has read its missing tokens already, where a file that is released as it is keeps them; and a
# disk that is full is full for what counts the commands, too.
OF_FILES = {"anonymize_keeps_texts", "buckets_both_or_neither"}
NAMES = sorted(path.stem for path in CASES.glob("*.sh")
               if path.stem.split("_")[0] in KINDS and path.stem not in OF_FILES)


def run_case(name, tmp_path):
    program = tmp_path / "shoal"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("golden_program.py")}" "$@"\n')
    program.chmod(0o755)
    count = tmp_path / "count"
    count.touch()
    result = subprocess.run(
        [sys.executable, str(CASES / "run.py"), "--program", str(program), str(CASES / f"{name}.sh")],
        capture_output=True, text=True,
        env={**os.environ, "SHOAL_PROGRAM": str(Path(sys.executable).parent / "shoal"), "SHOAL_COUNT": str(count)})
    return result, count.read_text().split()


@pytest.mark.parametrize("name", [name for name in NAMES if name in EVERY])
def test_case(name, tmp_path):
    result, commands = run_case(name, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert commands, "no command of the case was run through the package"


@pytest.mark.deep
def test_the_other_cases(tmp_path):
    applied = 0
    for name in NAMES:
        folder = tmp_path / name
        folder.mkdir()
        result, commands = run_case(name, folder)
        assert result.returncode in (0, 77), name + result.stdout + result.stderr
        applied += bool(commands)
    assert applied >= 40, applied
