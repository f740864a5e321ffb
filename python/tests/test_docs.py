"""Docstrings, pages and notebooks run."""

import doctest
import importlib
import pkgutil
import re

import pytest

import shoal
from conftest import ROOT

MODULES = ["shoal", *(f"shoal.{module.name}" for module in pkgutil.iter_modules(shoal.__path__)
                      if module.name not in ("_core", "spark"))]  # Spark has tests of its own
PAGES = ["docs/python.md", "README.md"]
NOTEBOOKS = sorted((ROOT / "python/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name), extraglobs={"shoal": shoal})
    assert result.failed == 0


def test_every_public_name_is_documented():
    for name in shoal.__all__:
        thing = getattr(shoal, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for attribute, value in vars(thing).items():
                if not attribute.startswith("_") and (callable(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{attribute}"


@pytest.mark.parametrize("page", PAGES)
def test_pages(page, tmp_path, monkeypatch):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
    assert blocks
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{page}, block {number + 1}", "exec"), names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    notebook = nbformat.read(path, 4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "notebooks are kept without outputs"
    client.NotebookClient(notebook, timeout=120, kernel_name="python3",
                          resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 2
