"""Shoal where the data are in Spark: DataFrames in, a release out that Spark's own SQL has verified.

::

    import shoal.spark

    release = shoal.spark.anonymize(spark.read.parquet("patients"), k=10, method="mondrian",
                                    quasi=["age", "zip", "sex"], sensitive="diagnosis", identifier="name",
                                    hierarchies={"zip": shoal.prefix(5)})
    release.df.write.parquet("release")

:func:`anonymize`, :func:`verify`, :func:`measure` and :func:`inspect` take the arguments of :mod:`shoal`;
:func:`write` writes a release whole or not at all, and ``python -m shoal.spark`` does it from the command line. Spark
is where the data are, never a way to be faster than one machine that can hold them. docs/spark.md has the rest.
"""

from __future__ import annotations

from ._cluster import ClusterError, check_pyspark

check_pyspark()

from ._calls import anonymize, inspect, measure, verify
from ._release import SparkRelease
from ._write import write

__all__ = ["ClusterError", "SparkRelease", "anonymize", "inspect", "measure", "verify", "write"]
