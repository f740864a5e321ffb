"""What a call from Python costs above the library's own stages, and how much memory it takes.

    python_call.py [--records N] [--columns N]

A frame of polars (1,000,000 x 10 census records), k = 10, effort fast. Each run has a process of its own: its wall
clock, the stages that its report lists, and its peak memory above that of the frame. The wheel and polars must be
installed where this runs; docs/performance.md has the figures.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUASI = ["age", "zip", "sex", "education", "marital", "race", "workclass", "country", "occupation"]


def now():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def make(records, path):
    import polars

    import shoal

    frame = shoal.generate("census", records).to_polars()
    for name in ("sex", "education", "marital", "race", "workclass", "country", "occupation", "income", "zip"):
        frame = frame.with_columns(polars.col(name).cast(polars.String))
    frame.write_parquet(path)


def run(path, columns):
    """In a process that has held nothing before, so that no memory is there to be used again."""
    import polars

    import shoal

    frame = polars.read_parquet(path).rechunk()
    records = len(frame)
    size = frame.estimated_size()
    # The peak counts from here on.
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = now()
    start = time.perf_counter()
    table = shoal.table(frame)
    imported = time.perf_counter() - start
    start = time.perf_counter()
    release = shoal.anonymize(table, k=10, quasi=QUASI[:columns - 1], sensitive="income", effort="fast", seed=1)
    called = time.perf_counter() - start
    start = time.perf_counter()
    release.to_polars()
    exported = time.perf_counter() - start
    with open("/proc/self/status") as file:
        highest = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
    stages = release.report.to_dict()["seconds"]
    print(json.dumps({"records": records, "columns": columns, "frame_bytes": size, "import_seconds": imported,
                      "call_seconds": called, "stage_seconds": stages["total"], "export_seconds": exported,
                      "overhead": (imported + called) / (imported + stages["total"]), "peak_above": highest - before,
                      "peak_per_frame": (highest - before) / size, "gcp": release.gcp}))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--make", help=argparse.SUPPRESS)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        make(options.records, options.make)
        return 0
    if options.run:
        run(options.run, options.columns)
        return 0
    sizes = ["--records", str(options.records), "--columns", str(options.columns)]
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "frame.parquet")
        subprocess.run([sys.executable, __file__, "--make", path, *sizes], check=True)
        for _ in range(3):
            subprocess.run([sys.executable, __file__, "--run", path, *sizes], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
