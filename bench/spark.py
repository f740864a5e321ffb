#!/usr/bin/env python3
"""Measure shoal.spark: time by stage, growth, and the loss beside that of one machine.

    bench/spark.py [--records 1000000,10000000] [--master 'local-cluster[2,1,1024]'] [--method mondrian]

Run it with the interpreter of an environment that has "shoal[spark]" (build/spark-env after tools/run_tests.sh spark).
Tables are generated (`shoal generate census`), written as Parquet, and anonymized twice; the second run, with a warm
session, counts. Beside it, in the same minutes, the program on the same records as CSV: times on a shared machine say
something as ratios only.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pyspark
from pyspark.sql import SparkSession

import shoal
import shoal.spark

QUASI = ["age", "sex", "education", "marital", "race", "workclass", "country", "zip"]
STAGES = ["read", "divide", "solve", "verify"]


def start(master, folder):
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("shoal bench")
    for key, value in {
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""), "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.sql.shuffle.partitions": "4", "spark.local.dir": folder,
    }.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def make_table(folder, records):
    """CSV for the program, Parquet for Spark."""
    text, packed = Path(folder) / f"{records}.csv", Path(folder) / f"{records}.parquet"
    shoal.generate("census", records, output=text)
    table = pyarrow.csv.read_csv(text, convert_options=pyarrow.csv.ConvertOptions(
        column_types={"zip": pyarrow.string()}))
    pyarrow.parquet.write_table(table, packed, row_group_size=250_000)
    return text, packed


def run_program(spec, text, folder):
    """Seconds and loss of one machine."""
    place = Path(folder) / "spec.yaml"
    spec.write(place)
    program = Path(sys.executable).parent / "shoal"
    begin = time.perf_counter()
    done = subprocess.run([program, "anonymize", text, "-o", Path(folder) / "program.csv",
                           "--spec", place, "--json"], capture_output=True, text=True, check=True)
    return time.perf_counter() - begin, json.loads(done.stdout)["gcp"]


def run_spark(spark, spec, packed):
    frame = spark.read.parquet(str(packed))
    begin = time.perf_counter()
    release = shoal.spark.anonymize(frame, spec=spec)
    seconds = time.perf_counter() - begin
    release.unpersist()
    return seconds, release.report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", default="1000000,10000000")
    parser.add_argument("--master", default="local-cluster[2,1,1024]")
    parser.add_argument("--method", default="mondrian")
    parser.add_argument("--k", type=int, default=10)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    spec = shoal.Spec(k=arguments.k, quasi=QUASI, sensitive="income", method=arguments.method,
                      hierarchies={"zip": shoal.prefix(5)}, types={"zip": "string"}, seed=1)
    with tempfile.TemporaryDirectory(prefix="shoal-bench-") as folder:
        spark = start(arguments.master, folder)
        _, small = make_table(folder, 20_000)
        run_spark(spark, spec, small)
        print("| records | total s | " + " | ".join(STAGES) + " | fragments | passes | GCP % | one machine: s | GCP % | load |")
        print("|---:" * (len(STAGES) + 8) + "|")
        for records in map(int, arguments.records.split(",")):
            text, packed = make_table(folder, records)
            alone, lost = run_program(spec, text, folder)
            seconds, report = run_spark(spark, spec, packed)
            told = report.to_dict()["seconds"]
            stages = " | ".join(f"{told[name]:.1f}" for name in STAGES)
            print(f"| {records} | {seconds:.1f} | {stages} | {int(report['fragments'])} | {int(report['passes'])} | "
                  f"{100 * report.gcp:.3f} | {alone:.1f} | {100 * lost:.3f} | {os.getloadavg()[0]:.0f} |", flush=True)
        spark.stop()


if __name__ == "__main__":
    main()
