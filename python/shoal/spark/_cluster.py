"""What can be wrong with a cluster, in sentences that say what to do."""

from __future__ import annotations

import json
import re
import shutil
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import shoal

from .._errors import Error, OutOfMemoryError

#: Versions of pyspark that this package works with.
MAJOR = 4
_NEEDED = "shoal.spark needs pyspark 4: pip install \"shoal[spark]\""


class ClusterError(Error):
    """The cluster lacks something: the package, memory, Java, or an executor was lost too often."""

    status = "cluster"


def check_pyspark() -> None:
    """Whether pyspark is there, and one that we know."""
    try:
        import pyspark
    except ImportError as error:
        raise ImportError(f"{_NEEDED}.") from error
    major = re.match(r"\d+", pyspark.__version__)
    if not major or int(major.group()) != MAJOR:
        raise ImportError(f"{_NEEDED}; version {pyspark.__version__} is installed.")


def check_java() -> None:
    """Whether a session can be started here."""
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which("java") or (home and os.access(os.path.join(home, "bin", "java"), os.X_OK))):
        raise ClusterError("Spark needs Java 17 or later, and there is none: install openjdk-17-jre-headless, or set "
                           "JAVA_HOME.")


_MEMORY = ("An executor ran out of memory. Give executors more (spark.executor.memoryOverhead, or "
           "spark.executor.pyspark.memory where it is set), or let fragments be smaller: fragment_records, now {}.")


def rebuild(told: str, fragment_records: int) -> Error:
    """The failure that an executor told of."""
    try:
        facts = json.loads(told)
    except ValueError:
        return ClusterError("An executor told of a failure that makes no sense.")
    kind: Any = getattr(shoal, facts["class"], Error)
    if kind is OutOfMemoryError:
        return OutOfMemoryError(_MEMORY.format(fragment_records))
    error: Error = kind(facts["message"], column=facts["column"])
    return error


def _sentence(text: str, fragment_records: int) -> str:
    """What a failed job means; "" when nothing is known of it. Texts of Spark may quote cells, so none is
    repeated."""
    if "No module named 'shoal" in text:
        return ("An executor has no package shoal. Install the wheel of the driver on every executor, or send an "
                "environment along: docs/spark.md says how.")
    if "No module named 'pyarrow" in text or "No module named 'numpy" in text:
        return 'An executor lacks pyarrow or numpy. Install "shoal[spark]" on every executor.'
    if "PYTHON_VERSION_MISMATCH" in text:
        return "Driver and executors have different versions of Python. Set PYSPARK_PYTHON to the same on all of them."
    if "maxResultSize" in text:
        return ("What the driver gets from executors is more than spark.driver.maxResultSize; raise it, or make "
                "columns with many different values coarser.")
    if re.search(r"java\.lang\.OutOfMemoryError|^(MemoryError|pyarrow.lib.ArrowMemoryError)|killed by YARN|OOMKilled|"
                 r"(code|status):? ?(137|143)|SIGKILL|Cannot allocate memory|memory limits", text, re.MULTILINE):
        return _MEMORY.format(fragment_records)
    if re.search(r"ExecutorLostFailure|Python worker exited unexpectedly|crashed|executor \d+ exited", text,
                 re.IGNORECASE):
        return ("Executors were lost again and again. As a rule they had too little memory: raise "
                f"spark.executor.memoryOverhead, or lower fragment_records, now {fragment_records}.")
    if re.search(r"SparkFileNotFoundException|FAILED_READ_FILE|REFRESH TABLE|file does not exist", text):
        return ("A file of the input was there when the job began, and is gone or another one now. Nothing was "
                "published; take an input that nobody writes to.")
    return ""


@contextmanager
def translating(fragment_records: int) -> Iterator[None]:
    """Failures of Spark as ours, where we know what to do about them."""
    try:
        yield
    except Error:
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        sentence = _sentence(str(error), fragment_records)
        if not sentence:
            raise
        kind = OutOfMemoryError if sentence.startswith("An executor ran out") else ClusterError
        raise kind(sentence) from error
