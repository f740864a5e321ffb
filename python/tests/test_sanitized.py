"""Under the leak sanitizer, which wants libasan preloaded: nothing that our code allocated is left at the end."""

import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from conftest import read_patients
from test_runtime import every_entry
import shoal
asked = dict(k=3, quasi=["age", "zip", "sex"], sensitive="diagnosis", identifier=["name", "job"],
             hierarchies={"zip": shoal.prefix(5)}, method="topdown", seed=1)
for _ in range(3):
    every_entry("dict", read_patients(), asked)
"""


@pytest.mark.sanitized
def test_nothing_is_left(tmp_path):
    assert "libasan" in os.environ.get("LD_PRELOAD", ""), "tools/run_tests.sh python_deep says how to run it"
    script = tmp_path / "entries.py"
    script.write_text(SCRIPT)
    log = tmp_path / "leaks"
    result = subprocess.run([sys.executable, str(script), str(ROOT / "python/tests")], capture_output=True, text=True,
                            env={**os.environ, "ASAN_OPTIONS": f"detect_leaks=1:exitcode=0:log_path={log}",
                                 "PYTHONMALLOC": "malloc"})
    assert result.returncode == 0, result.stderr
    leaks = "".join(path.read_text() for path in tmp_path.glob("leaks*"))
    # The interpreter leaves things behind; only stacks with our frames count.
    ours = [stack for stack in re.split(r"\n\n", leaks) if re.search(r" in (py_|shoal_)", stack)]
    assert not ours, ours[0]
