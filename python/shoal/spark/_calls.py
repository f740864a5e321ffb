"""The calls: anonymize, verify, measure and inspect on DataFrames of Spark."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Optional, Union

import shoal

from .. import _core
from .._calls import SpecLike, _bound, _takes_settings
from .._errors import FormatError, InvalidError, PrivacyWarning, RejectedError, UnsupportedError, WarnedError, warn
from .._report import Inspection, Notice, Report
from .._runtime import QUIET
from .._spec import Spec
from . import _worker
from ._cluster import translating
from ._divide import Division, Limits, Timing, refuse, released_schema
from ._frame import Columns, check_frame, is_plain, pick, quoted
from ._release import SparkRelease, build_report
from ._verify import Found, quasi_columns, verify_frame
from ._worker import FIGURES, PARTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from .._arguments import Arguments

#: As the library: fewer records are no reason to warn of values of their own.
_WARN_RECORDS = 20


# --- anonymize. -------------------------------------------------------------------------------


@_takes_settings
def anonymize(
    data: DataFrame,
    *,
    spec: Optional[SpecLike] = None,
    fragment_records: int = Limits.fragment_records,
    most_values: int = Limits.most_values,
    keep: bool = True,
    **settings: Unpack[Arguments],
) -> SparkRelease:
    """Anonymize a DataFrame of Spark, where its records are: a release that Spark's own SQL has verified.

    ``spec`` and settings are those of :func:`shoal.anonymize`. The records are divided as with the program's
    ``--memory``: method ``mondrian`` gives the release of one machine, row for row; ``best``, ``topdown``, ``cluster``,
    ``hilbert``, ``bottomup`` and ``specialize`` search in each fragment, with the dictionaries, penalties and totals of
    the whole table. Partitions, number of executors, order of rows, repeated and speculative tasks change nothing.

    - ``fragment_records``: how many records an executor solves at once, at most; about 0.5 to 1 kB of memory each
    - ``most_values``: how many different values a column may have: the driver and every task hold them
    - ``keep``: let Spark keep the needed columns, packed, between passes (``MEMORY_AND_DISK``); with False they are
      read from the source in each pass, which takes no storage and longer

    Nothing is handed out that was not verified: the release is made, counted by SQL, and judged; only then is there a
    :class:`SparkRelease`. When anything fails, or you stop it, Spark forgets what it kept, and nothing is left.

    Raises :class:`shoal.UnsupportedError` for what cannot be served, before a job starts; :class:`shoal.LimitError` for
    columns with too many values and for fragments that no cut may part; :class:`shoal.InvalidError` when the input
    changed between passes; :class:`ClusterError` and :class:`shoal.OutOfMemoryError` for what executors lack.
    """
    arguments = _bound("anonymize", spec, settings)
    run = _Run(data, arguments, Limits(fragment_records, most_values, keep))
    try:
        return run.make()
    except BaseException:
        run.division.close()
        raise


class _Run:
    """One run: what it needs until it is over."""

    def __init__(self, data: DataFrame, spec: Spec, limits: Limits) -> None:
        check_frame(data)
        limits.check()
        refuse(spec)
        self.timing = Timing()
        self.division = Division(data, spec, limits, self.timing)
        self.columns: Columns = self.division.columns
        self.spec = spec
        self.limits = limits
        _check_divisible(spec, self.columns)

    def make(self) -> SparkRelease:
        division, spec = self.division, self.spec
        division.build()
        division.cut()
        rows = division.keep(division.solve())
        with self.timing.stage("solve"):
            ncp = division.check_notes(rows)
        with self.timing.stage("verify"):
            found = self.verify(rows)
        notices = self.notices(found)
        open_ones = [notice for notice in notices if not notice.is_accepted]
        if open_ones and spec.get("strict") == "true":
            raise WarnedError(open_ones[0].message, column=open_ones[0].column)
        report = self.report(found, ncp, notices)
        for notice in open_ones:
            warn(PrivacyWarning(notice.message, notice.code, notice.column))
        released = pick(rows, tuple(field.name for field in
                                    released_schema(division.frame, spec, self.columns, beside=False).fields))
        division.release(rows)
        division.close()
        return SparkRelease(released, report, spec, (rows,))

    def verify(self, rows: DataFrame) -> Found:
        """Nothing is handed out when a requirement does not hold, or a record is missing."""
        singles = self.division.records >= _WARN_RECORDS
        found = verify_frame(rows, self.spec, most_values=self.limits.most_values,
                             fragment_records=self.limits.fragment_records, person=self.columns.person is not None,
                             singles=singles)
        if found.records != self.division.records:
            raise RejectedError(f"The release has {found.records} rows of {self.division.records} records; nothing was "
                                "published.")
        for verdict in found.verdicts:
            if not verdict.holds:
                raise RejectedError(
                    f"The release was rejected, and nothing was published: {verdict.asked}, which {verdict.failing_classes} "
                    f"of {found.classes} classes do not meet.", column=verdict.column or None)
        return found

    def notices(self, found: Found) -> tuple[Notice, ...]:
        accepted = str(self.spec.get("accept")).split(",")
        listed = list(_heard(self.division.warnings))
        listed += [("code-as-number", name,
                    f'The column "{name}" is named like a code but holds whole numbers: leading zeros are lost. Read it '
                    "as text.") for name in self.columns.codes_as_numbers()]
        for name, (classes, records) in found.single.items():
            if classes:
                listed.append((
                    "single-value", name,
                    f'In {classes} of {found.classes} classes all records have the same value in the column "{name}", '
                    f"with {records} record{'s' if records != 1 else ''}: whoever knows that somebody is in such a class "
                    "knows the value. To forbid it, ask for diversity: `privacy.l`."))
        return tuple(Notice(code, column, message, code in accepted) for code, column, message in listed)

    def report(self, found: Found, ncp: float, notices: tuple[Notice, ...]) -> Report:
        sizes = self.division.sizes
        weights = [float(_core.spec_get_column(QUIET, self.spec._handle, name, "weight") or 1)
                   for name in self.columns.quasi]
        figures = {"ncp": ncp, "gcp": ncp / sum(weights) / found.records, "fragments": float(len(sizes)),
                   "largest_fragment": float(max(sizes)), "passes": float(self.division.passes + 1),
                   **_class_figures(found, self.spec)}
        more = {"released_as_is": [n for n in self.columns.as_they_are if n not in self.columns.sensitive],
                "left_out": list(self.columns.left_out), "fragment_records": sizes}
        return build_report("anonymize", found, figures, notices, self.timing.seconds, more)


def _class_figures(found: Found, spec: Spec) -> dict[str, float]:
    k = float(str(spec.get("k"))) if spec.get("k") else 0.0
    return {"average_class_size": found.records / found.classes / k} if k else {}


def _heard(lines: list[str]) -> Any:
    """Warnings of the library, which have their code behind them."""
    for line in lines:
        told = re.match(r"(?s)(.*) [\[(]([a-z-]+)[\])]$", line)
        message, code = told.groups() if told else (line, "other")
        named = re.search(r'[Cc]olumn "([^"]*)"', message)
        yield code, named.group(1) if named else None, message


def _check_divisible(spec: Spec, columns: Columns) -> None:
    """What a division refuses, it refuses here as well, where no job was started yet: of any record."""
    record = {name: ["1"] for name in (*columns.sent, *columns.absent)}
    try:
        _core.values_count(QUIET, spec._handle, shoal.table(record)._handle)
    except FormatError:
        pass  # of this record
    except (UnsupportedError, InvalidError) as error:
        raise type(error)(str(error).replace("A division is supported for", "On Spark Shoal serves"),
                          column=error.column) from None


# --- verify, measure, inspect. ----------------------------------------------------------------


@_takes_settings
def verify(
    release: Union[SparkRelease, DataFrame],
    *,
    spec: Optional[SpecLike] = None,
    most_values: int = Limits.most_values,
    **settings: Unpack[Arguments],
) -> Report:
    """Check a release, anybody's, by the texts of its quasi columns: counted by Spark's SQL.

    ``report.holds`` is the verdict, ``report.verdicts`` has it requirement by requirement. A release does not tell
    whose its rows are: where persons have several records, rows are counted, and a warning says so.
    """
    own, frame = _own(release)
    arguments = _bound("verify", own if spec is None else spec, settings)
    check_frame(frame)
    found = verify_frame(frame, arguments, most_values=most_values, fragment_records=Limits.fragment_records)
    notices = tuple(_verify_notices(arguments, frame))
    return build_report("verify", found, _class_figures(found, arguments), notices)


def _verify_notices(spec: Spec, frame: DataFrame) -> Any:
    accepted = str(spec.get("accept")).split(",")
    for name in spec.with_role("identifier", "person"):
        if name in frame.columns:
            yield Notice("identifier-name", name, f'The column "{name}" must not be released, and it is there.', False)
    if spec.with_role("person"):
        yield Notice("rows-for-persons", None, "A release does not tell whose its rows are, so rows were counted, not "
                     "persons; they were counted when it was made.", "rows-for-persons" in accepted)


def _own(release: Union[SparkRelease, DataFrame]) -> tuple[Optional[Spec], Any]:
    return (release.spec, release.df) if isinstance(release, SparkRelease) else (None, release)


@_takes_settings
def measure(
    original: DataFrame,
    release: Union[SparkRelease, DataFrame],
    *,
    spec: Optional[SpecLike] = None,
    most_values: int = Limits.most_values,
    **settings: Unpack[Arguments],
) -> Report:
    """Measure a release, anybody's, against its original: loss, sizes of classes, risk.

    ``report["gcp"]`` and ``report["ncp"]`` are as :func:`shoal.measure` has them, through the hierarchies of the spec and
    the values of the original. Risk is the prosecutor's: ``highest_risk`` is 1 / the smallest class, ``average_risk`` the
    number of classes / records, ``records_at_risk`` the share of records in classes with a risk above each of
    ``risk_thresholds``, ``unique_records`` the share of classes of one record.
    """
    from pyspark.sql import functions as f

    own, frame = _own(release)
    arguments = _bound("measure", own if spec is None else spec, settings)
    check_frame(original)
    check_frame(frame)
    division = Division(original, arguments, Limits(most_values=most_values, keep=False), Timing())
    try:
        division.build()
        division._send()
        quasi = quasi_columns(frame, arguments.with_role("quasi"))
        needed = [*quasi, *(name for name in division.columns.sensitive if name in frame.columns)]
        with translating(Limits.fragment_records):
            told = pick(frame, tuple(needed)).mapInArrow(_worker.measure(division.task), PARTS).collect()
        figures = _sum_figures(told, division)
        classes = frame.groupBy(*(frame[quoted(name)] for name in quasi)).agg(f.count(f.lit(1)).alias("shoal_n"))
        figures.update(_risk(classes, arguments))
    finally:
        division.close()
    return build_report("measure", None, figures)


def _sum_figures(told: list[Any], division: Division) -> dict[str, float]:
    records, losses = 0, []
    for row in told:
        if row["kind"] != FIGURES:
            raise division._failed(bytes(row["data"]).decode())
        records += row["number"]
        losses.append(json.loads(bytes(row["data"]))["ncp"])
    if records == 0:
        raise InvalidError("The release has no rows.")
    weights = [float(_core.spec_get_column(QUIET, division.spec._handle, name, "weight") or 1)
               for name in division.columns.quasi]
    ncp = math.fsum(losses)
    return {"records": float(records), "ncp": ncp, "gcp": ncp / sum(weights) / records}


def _risk(classes: DataFrame, spec: Spec) -> dict[str, float]:
    from pyspark.sql import functions as f

    said = spec.get("risk_thresholds")
    thresholds = [float(text) for text in (said if isinstance(said, list) else str(said or "0.2").split(","))]
    size = f.col("shoal_n")
    row = classes.agg(
        f.count(f.lit(1)).alias("classes"), f.sum(size).alias("records"), f.min(size).alias("least"),
        f.max(size).alias("most"), f.sum(size.cast("double") * size).alias("squares"),
        f.count(f.when(size == 1, 1)).alias("uniques"),
        *(f.coalesce(f.sum(f.when(1 / size > threshold, size)), f.lit(0)).alias(f"above{i}")
          for i, threshold in enumerate(thresholds))).collect()[0]
    result = {"classes": float(row["classes"]), "smallest_class": float(row["least"]),
              "largest_class": float(row["most"]), "highest_risk": 1 / row["least"],
              "average_risk": row["classes"] / row["records"], "unique_records": row["uniques"] / row["records"]}
    for i, threshold in enumerate(thresholds):
        result[f"records_at_risk_{threshold:g}"] = row[f"above{i}"] / row["records"]
    return result


@_takes_settings
def inspect(
    data: DataFrame,
    *,
    spec: Optional[SpecLike] = None,
    sample: int = 100_000,
    **settings: Unpack[Arguments],
) -> Inspection:
    """What is in a DataFrame: types, likely roles, who is unique; ``inspection.spec`` is a spec to start from.

    Types, roles and warnings are found in a sample of at most so many records, which comes to the driver's memory and
    goes no further; the numbers of records, different and missing values are those of all records, counted by Spark
    (different values to 5 %).
    """
    from pyspark.sql import functions as f

    check_frame(data)
    if not isinstance(sample, int) or sample < 100:
        raise InvalidError(f"A sample has at least 100 records; got {sample!r}.")
    arguments = _bound("inspect", spec, settings)
    plain = [field.name for field in data.schema.fields if is_plain(field.dataType.simpleString())]
    if not plain:
        raise UnsupportedError("No column of the DataFrame holds texts, numbers, dates or truth values.")
    frame = pick(data, tuple(plain))
    names = [quoted(name) for name in plain]
    with translating(Limits.fragment_records):
        counted = frame.agg(
            f.count(f.lit(1)).alias("records"),
            *(f.approx_count_distinct(frame[name]).alias(f"distinct{i}") for i, name in enumerate(names)),
            *(f.count(f.when(frame[name].isNull(), 1)).alias(f"missing{i}") for i, name in enumerate(names))).collect()[0]
        records = counted["records"]
        drawn = frame if records <= sample else frame.sample(fraction=min(1.0, 0.9 * sample / records), seed=1)
        table = drawn.toArrow()
    found = shoal.inspect(table, spec=arguments)
    all_columns = [{"name": name, "distinct": min(counted[f"distinct{i}"], records), "missing": counted[f"missing{i}"]}
                   for i, name in enumerate(plain)]
    return _inspection(found, records, table.num_rows, all_columns, [n for n in data.columns if n not in plain])


def _inspection(found: Inspection, records: int, sampled: int, columns: list[dict[str, Any]],
                nested: list[str]) -> Inspection:
    told = {**found.to_dict(), "engine": "spark", "all_records": records, "sampled_records": sampled,
            "all_columns": columns, "not_looked_at": nested}
    head = f"Sampled   {sampled} of {records} records; what follows is about the sample\n"
    if sampled == records:
        head = f"Records   {records}, all of them looked at\n"
    if nested:
        head += f"Not read  {', '.join(nested)} (nested, or bytes)\n"
    return Inspection(text=head + found.text, json=json.dumps(told, indent=2) + "\n", holds=found.holds,
                      figures={**found.figures, "all_records": float(records), "sampled_records": float(sampled)},
                      verdicts=found.verdicts, warnings=found.warnings, html=found.html, external=found.external,
                      yaml=found.yaml)
