"""Types: the package and what its users write, by mypy and pyright."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import shoal
from conftest import ROOT
from shoal import _arguments, _spec

PACKAGE = Path(shoal.__file__).parent

RIGHT = '''
import shoal
from typing import TYPE_CHECKING

release = shoal.anonymize({"age": [1, 2]}, k=2, quasi="age", l={"ill": ("distinct", 2)}, effort="fast")
reveal_type(release)
reveal_type(shoal.anonymize("in.csv", "out.csv", k=2))
reveal_type(shoal.verify(release).verdicts[0].holds)
reveal_type(shoal.frontier(release, sweep={"k": [2]}).recommended)
reveal_type(shoal.query(release, "COUNT").estimate)
reveal_type(shoal.generate("census", 10))
reveal_type(shoal.Spec.read("x.yaml").replace(k=3))
'''
REVEALED = ["Release", "Report", "bool", "Point", "float", "Table", "Spec"]

WRONG = '''
import shoal
shoal.anonymize({}, k="ten")
shoal.anonymize({}, quasy="age")
shoal.anonymize({}, effort="lazy")
shoal.verify({}, k=2, quasi=5)
shoal.Spec(kk=3)
'''


def check(tool, path, *options):
    pytest.importorskip(tool)
    if tool == "pyright":
        options += ("--pythonpath", sys.executable)
    result = subprocess.run([sys.executable, "-m", tool, *options, str(path)], capture_output=True, text=True,
                            cwd=path.parent if path.is_file() else ROOT)
    return result.returncode, result.stdout + result.stderr


def test_every_setting_is_an_argument():
    known = set(_spec.keywords_of())
    listed = set(_arguments.Arguments.__annotations__)
    assert known - listed == set(), "list these in python/shoal/_arguments.py"
    assert listed - known == set(), "no setting of the library"


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists() and (PACKAGE / "_core.pyi").exists()


def test_stubs_have_every_function_of_the_extension():
    stub = (PACKAGE / "_core.pyi").read_text()
    found = [name for name in dir(shoal._core) if not name.startswith("_")]
    assert len(found) > 25
    for name in found:
        assert f"def {name}(" in stub or f"{name}: " in stub, name


def test_the_package_is_strict():
    files = len(list((ROOT / "python/shoal").rglob("*.py")) + list((ROOT / "python/shoal").glob("*.pyi")))
    code, output = check("mypy", ROOT / "python/shoal", "--strict", "--config-file", str(ROOT / "pyproject.toml"))
    assert code == 0 and f"no issues found in {files} source files" in output, output


@pytest.mark.deep
def test_the_package_by_pyright():
    # shoal.spark needs pyspark, which this environment has not; mypy, which is content without it, looks at that.
    first, *others = sorted(file for file in (ROOT / "python/shoal").glob("*.py*") if file.name != "py.typed")
    assert len(others) > 8
    code, output = check("pyright", first, *map(str, others))
    assert code == 0 and "0 errors" in output, output


@pytest.mark.deep
@pytest.mark.parametrize("tool", ["mypy", "pyright"])
def test_what_users_write(tool, tmp_path):
    path = tmp_path / "user.py"
    path.write_text(RIGHT)
    code, output = check(tool, path)
    lines = [line for line in output.splitlines() if "Revealed type" in line or "Type of" in line]
    assert code == 0, output
    assert len(lines) == len(REVEALED), output
    for line, kind in zip(lines, REVEALED):
        assert kind in line, line
    path.write_text(WRONG)
    code, output = check(tool, path)
    wrong = set(re.findall(r"user\.py:(\d+)(?::\d+)?(?: -|:) error", output))
    assert code != 0 and wrong == {"3", "4", "5", "6", "7"}, output
