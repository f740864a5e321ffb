"""A cluster for the tests: two executors that are processes of their own, and tables on it."""

import csv
import functools
import os
import subprocess
import sys
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession

import shoal

QUASI = ["age", "sex", "education", "marital", "race", "workclass", "country", "zip"]
ADULT_QUASI = ["age", "workclass", "education", "marital-status", "race", "sex", "native-country"]


@functools.lru_cache(maxsize=None)
def session():
    """One for all tests: local-cluster[2,1,1024], or $SHOAL_SPARK_MASTER for a quick look (local[2])."""
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.local.dir": str(scratch() / "local"),
        "spark.sql.warehouse.dir": str(scratch() / "warehouse"),
    }
    builder = SparkSession.builder.master(os.environ.get("SHOAL_SPARK_MASTER", "local-cluster[2,1,1024]")).appName("shoal tests")
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


@functools.lru_cache(maxsize=None)
def scratch():
    import tempfile

    return Path(tempfile.mkdtemp(prefix="shoal-spark-"))


@functools.lru_cache(maxsize=None)
def census(records):
    """The path of a generated table, and a frame of it: ages are numbers, ZIP codes texts."""
    path = scratch() / f"census_{records}.csv"
    shoal.generate("census", records, output=path)
    return path, read(path)


@functools.lru_cache(maxsize=None)
def persons(records):
    """The same with whose record each is: some people have several, as in visits of patients."""
    path = scratch() / f"persons_{records}.csv"
    with open(census(records)[0], newline="") as source, open(path, "w", newline="") as target:
        rows, out = csv.reader(source), csv.writer(target)
        out.writerow([*next(rows), "person"])
        for number, row in enumerate(rows):
            out.writerow([*row, f"p{number if number % 3 else (number * 7919) % (records // 4)}"])
    return path, read(path)


@functools.lru_cache(maxsize=None)
def adult():
    """Adult's complete records where they are there; otherwise as many generated ones. The path, a frame, and what a spec
    says of the columns."""
    source = Path(os.environ.get("SHOAL_DATA", "/nowhere")) / "adult" / "adult.csv"
    if not source.exists():
        return (*census(45_222), {"quasi": QUASI, "sensitive": "occupation", "types": {"zip": "string"}})
    path = scratch() / "adult.csv"
    with open(source, newline="") as lines, open(path, "w", newline="") as target:
        out = csv.writer(target)
        out.writerows(row for row in csv.reader(lines) if "?" not in row)
    return path, read(path), {"quasi": ADULT_QUASI, "sensitive": "occupation"}


def read(path):
    """A CSV file by Spark: numbers where all values are, texts of ZIP codes."""
    frame = session().read.csv(str(path), header=True, inferSchema=True)
    return frame.withColumn("zip", frame["zip"].cast("string")) if "zip" in frame.columns else frame


def rows_of(frame):
    """The rows as tuples of texts, sorted."""
    columns = [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in frame.toArrow().columns]
    return sorted(zip(*columns))


def rows_of_file(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        return sorted(tuple(row) for row in rows)


def program(*arguments):
    """The program that the wheel brought along."""
    path = Path(sys.executable).parent / "shoal"
    return subprocess.run([str(path), *map(str, arguments)], capture_output=True, text=True, check=True)


def program_rows(path, spec, *flags):
    """The rows of the program's release of a file."""
    spec_path, out = scratch() / "spec.yaml", scratch() / "program.csv"
    spec.write(spec_path)
    program("anonymize", path, "-o", out, "--spec", spec_path, "--quiet", *flags)
    return rows_of_file(out)


def kept():
    """How many frames Spark keeps."""
    return session()._jsc.getPersistentRDDs().size()


def executors():
    """The process ids of the executors that this process started."""
    java = session()._jvm.java.lang.ProcessHandle.current().pid()
    found = []
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0") if folder.name.isdigit() else []
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) if words else 0
        except (OSError, ValueError):
            continue
        if parent == java and any(b"CoarseGrainedExecutorBackend" in word for word in words):
            found.append(int(folder.name))
    return found
