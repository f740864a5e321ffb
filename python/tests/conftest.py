"""Data frames of the same records from every library, and the program of the wheel."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

import shoal

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LIBRARIES = ["pandas", "polars", "pyarrow", "duckdb", "dict"]


def read_patients():
    """The sixty invented patients of the example: ages are numbers, ZIP codes texts."""
    with open(EXAMPLES / "patients.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    columns["age"] = [int(age) for age in columns["age"]]
    return columns


def frame_of(library, columns):
    """The columns as a data frame of a library."""
    if library == "dict":
        return columns
    module = pytest.importorskip(library)
    if library == "pandas":
        return module.DataFrame(columns)
    if library == "polars":
        return module.DataFrame(columns)
    arrow = pytest.importorskip("pyarrow").table(columns)
    return arrow if library == "pyarrow" else module.from_arrow(arrow)


def rows_of(frame):
    """The rows of any data frame as a list of tuples of texts."""
    kind = type(frame).__module__.split(".")[0]
    if kind == "pandas":
        columns = [frame[name].astype(object).tolist() for name in frame.columns]
    elif kind == "polars":
        columns = [frame[name].to_list() for name in frame.columns]
    elif kind == "pyarrow":
        columns = [column.to_pylist() for column in frame.columns]
    elif "duckdb" in kind:
        return [tuple(map(str, row)) for row in frame.fetchall()]
    else:
        columns = list(frame.values())
    return [tuple(map(str, row)) for row in zip(*columns)]


@pytest.fixture(scope="session")
def patients():
    return read_patients()


@pytest.fixture(params=LIBRARIES)
def library(request):
    return request.param


@pytest.fixture
def frame(library, patients):
    return frame_of(library, patients)


@pytest.fixture
def asked():
    """What the spec of the example says, as arguments."""
    return {
        "k": 3,
        "quasi": ["age", "zip", "job", "sex"],
        "sensitive": "diagnosis",
        "identifier": "name",
        "hierarchies": {"zip": shoal.prefix(5), "job": EXAMPLES / "job.csv"},
        "method": "topdown",
        "seed": 1,
    }


@pytest.fixture(scope="session")
def program():
    """The program that the wheel brought along."""
    path = Path(sys.executable).parent / "shoal"
    assert path.exists(), "the wheel did not install the program"

    def run(*arguments, **options):
        return subprocess.run([str(path), *map(str, arguments)], capture_output=True, text=True, **options)

    return run


@pytest.fixture(scope="session")
def people():
    """A table of a few thousand records, made up."""
    return shoal.generate("census", 3000)


@pytest.fixture
def python(tmp_path):
    """Run a script in an interpreter of its own."""

    def run(script, *arguments, timeout=120, env=None):
        path = tmp_path / "script.py"
        path.write_text(script)
        return subprocess.run([sys.executable, str(path), *map(str, arguments)], capture_output=True,
                              text=True, timeout=timeout, env={**os.environ, **(env or {})})

    return run
