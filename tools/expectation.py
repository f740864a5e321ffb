"""What a command must print, and running it with the program under test: shared by check_docs.py and
tests/cli/run.py.

In an expectation "..." stands for any text within a line, a line of "..." alone for any lines.
"""

import contextlib
import os
import re
import subprocess
import tempfile
from pathlib import Path


def line_pattern(line):
    if line == "...":
        return r"(?:[^\n]*\n)*?"
    return r"[^\n]*?".join(re.escape(part) for part in line.split("...")) + r"\n"


def matches(expected, printed):
    """Whether a text is what was expected."""
    if printed and not printed.endswith("\n"):
        printed += "\n"
    pattern = "".join(line_pattern(line) for line in expected.splitlines())
    return re.fullmatch(pattern, printed) is not None


def decode(output):
    """Bytes as text, line ends as they are."""
    return output.decode("utf-8", "replace")


@contextlib.contextmanager
def workplace(program):
    """An empty folder to run commands in, and run(command, ...) to run one there by bash, with the
    program on the PATH as `shoal`; keyword arguments go to subprocess.run."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        programs = Path(folder) / "bin"
        work.mkdir()
        programs.mkdir()
        (programs / "shoal").symlink_to(Path(program).resolve())

        def run(*command, variables=None, **settings):
            environment = dict(os.environ, LC_ALL="C.UTF-8", **(variables or {}))
            environment["PATH"] = f"{programs}:{environment['PATH']}"
            return subprocess.run(["bash", *command], cwd=work, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **settings)

        yield work, run
