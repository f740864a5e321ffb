#!/usr/bin/env python3
"""Runs of the program beside sorting the same file, in turn: medians of seconds and of ratios.

    python3 bench/beside_sort.py --program build/release/shoal --rounds 9
    python3 bench/beside_sort.py --program build/release/shoal --rounds 1 --records 10000000 --methods topdown@10 best@10
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

QUASI = "age,zip,sex,education,marital,race,workclass,country"
METHODS = ["topdown@10", "best:effort=fast@10", "best:effort=fast@50", "best@10", "best@50"]


def run(command):
    """The seconds of a command by the clock, and what it printed."""
    start = time.perf_counter()
    done = subprocess.run(command, env=dict(os.environ, LC_ALL="C"), check=True,
                          capture_output=True, text=True)
    return time.perf_counter() - start, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/shoal")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--records", type=int, default=1000000)
    parser.add_argument("--methods", nargs="+", default=METHODS, help="METHOD@K ...")
    options = parser.parse_args()
    seconds = {method: [] for method in options.methods}
    ratios = {method: [] for method in options.methods}
    sorts, losses = [], {}
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "census.csv"
        run([options.program, "generate", "census", "--records", str(options.records),
             "--seed", "1", "-o", table])
        run(["sort", "--parallel=2", table, "-o", "/dev/null"])  # so that the file is in memory
        for _ in range(options.rounds):
            for item in options.methods:
                method, k = item.rsplit("@", 1)
                sort, _ = run(["sort", "--parallel=2", table, "-o", "/dev/null"])
                own, report = run([options.program, "anonymize", table, "-o",
                                   pathlib.Path(folder) / "release.csv", "--method", method,
                                   "-k", k, "--quasi", QUASI, "--threads", "2", "--json"])
                sorts.append(sort)
                seconds[item].append(own)
                ratios[item].append(own / sort)
                losses[item] = json.loads(report)["gcp"]
    print(f"sort {statistics.median(sorts):.3f} s")
    print("| method, k | GCP % | s | times the sort | from | to |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for item in options.methods:
        print(f"| {item.replace('@', ', k = ')} | {100 * losses[item]:.2f} | "
              f"{statistics.median(seconds[item]):.3f} | {statistics.median(ratios[item]):.2f} | "
              f"{min(ratios[item]):.2f} | {max(ratios[item]):.2f} |")


if __name__ == "__main__":
    main()
