"""The wheel alone, in an empty virtual environment; other versions of Python; the source package."""

import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import shoal
from conftest import ROOT

WHEELS = sorted((ROOT / "build/python").glob("*.whl"))


def readme_example():
    text = (ROOT / "README.md").read_text()
    return re.search(r"^```python\n(.*?)^```", text, re.M | re.S).group(1)


def install(folder, interpreter, *what):
    """An empty environment with nothing but what is given; the interpreter in it."""
    subprocess.run([interpreter, "-m", "venv", folder], check=True)
    python = folder / "bin/python"
    result = subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check",
                             *what], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return python


def run_example(python, folder):
    result = subprocess.run([python, "-c", readme_example()], capture_output=True, text=True, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "Verified  every class has at least 10 records" in result.stdout


def test_there_is_one_wheel_for_all_versions():
    assert len(WHEELS) == 1
    assert re.fullmatch(rf"shoal-{re.escape(shoal.__version__)}-cp39-abi3-\w+\.whl", WHEELS[0].name)
    names = zipfile.ZipFile(WHEELS[0]).namelist()
    for name in ("shoal/_core.abi3.so", "shoal/_core.pyi", "shoal/py.typed", "shoal/__init__.py"):
        assert name in names
    assert any(name.endswith("/scripts/shoal") for name in names)
    assert not any("test" in name or name.endswith((".c", ".h", ".a")) for name in names)


def test_the_version_is_that_of_the_headers():
    header = (ROOT / "include/shoal/api.h").read_text()
    assert shoal.__version__ == ".".join(re.findall(r"SHOAL_VERSION_[A-Z]+ (\d+)", header))


def test_the_wheel_needs_nothing_else(tmp_path):
    python = install(tmp_path / "env", sys.executable, WHEELS[0])
    run_example(python, tmp_path)
    version = subprocess.run([tmp_path / "env/bin/shoal", "--version"], capture_output=True, text=True, check=True)
    assert shoal.__version__ in version.stdout
    needed = subprocess.run(["ldd", shoal._core.__file__], capture_output=True, text=True).stdout
    assert "yaml" not in needed and "xxhash" not in needed


def test_parts_of_different_versions_do_not_load(tmp_path):
    """The Python part and the extension belong together."""
    package = tmp_path / "shoal"
    shutil.copytree(ROOT / "python/shoal", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(shoal._core.__file__, package)
    init = package / "__init__.py"
    text = re.sub(r'^_VERSION = ".*"$', '_VERSION = "9.9.9"', init.read_text(), flags=re.M)
    init.write_text(text)
    result = subprocess.run([sys.executable, "-c", "import shoal"], capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode != 0 and "9.9.9" in result.stderr and "ImportError" in result.stderr


@pytest.mark.deep
@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13", "3.14"])
def test_other_versions(version, tmp_path):
    interpreter = shutil.which(f"python{version}")
    if not interpreter or subprocess.run([interpreter, "-c", "import venv"], capture_output=True).returncode:
        pytest.skip(f"Python {version} is not here")
    run_example(install(tmp_path / "env", interpreter, WHEELS[0]), tmp_path)


@pytest.mark.deep
def test_the_source_package_builds(tmp_path):
    builder = ROOT / "build/python-build/bin/python"
    subprocess.run([builder, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir",
                    tmp_path, make_source_package(builder, tmp_path)], check=True)
    assert len(list(tmp_path.glob("*.whl"))) == 1


def make_source_package(builder, folder):
    script = "import scikit_build_core.build as b, sys; print(b.build_sdist(sys.argv[1]))"
    result = subprocess.run([builder, "-c", script, folder], capture_output=True, text=True, cwd=ROOT)
    assert result.returncode == 0, result.stderr
    return next(folder.glob("*.tar.gz"))
