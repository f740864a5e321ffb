"""The driver's side of a division: counts of all partitions, cuts, fragments, released rows.

::

    frame ── pack ──► chunks, kept ──► values ──► division ──► counts ──► cuts ──► route ──► solve ──► rows
             one pass over the source             (driver)     passes over chunks   a fragment in one place

The driver holds the division: the different values of each column, and what requirements count in open
fragments. It never holds a record.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Optional

import shoal

from .. import _core
from .._errors import Error, InvalidError, LimitError, RejectedError, UnsupportedError
from .._runtime import QUIET, logger
from .._spec import Spec
from . import _worker
from ._cluster import rebuild, translating
from ._frame import Columns, find_columns, pick, quoted
from ._worker import CHUNK, COUNTS, FAILURE, FRAGMENT, NOTE, OWN_K, PARTS, PERSON, VALUES, Task

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: More partitions than that are added up by executors first.
_COLLECTED_PARTS = 64

_CHANGED = ("The input changed while it was read: {}. Nothing was published; keep it as it is while it is anonymized, "
            "such as by df.cache(), or by writing it to a table first.")


@dataclass(frozen=True)
class Limits:
    """What driver and executors may hold."""

    #: Records that an executor solves at once, at most.
    fragment_records: int = 250_000
    #: Different values of a column, at most.
    most_values: int = 1_000_000
    #: Keep the columns, packed, in Spark's storage between passes; else they are read in each pass.
    keep: bool = True

    def check(self) -> None:
        for name in ("fragment_records", "most_values"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise InvalidError(f"{name} is a whole number of at least 1; got {value!r}.")
        if self.fragment_records < 1000:
            raise InvalidError(f"fragment_records is at least 1000, or classes would be cut apart; got "
                               f"{self.fragment_records}.")


@dataclass
class Timing:
    """Seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        logger.info("shoal.spark: %s", name)
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


class Division:
    """A frame, divided: made by :func:`divide`, solved by :meth:`solve`."""

    def __init__(self, frame: DataFrame, spec: Spec, limits: Limits, timing: Timing) -> None:
        self.frame = frame
        # As executors read it, so that bytes of theirs are of the same spec.
        yaml = spec.to_yaml()
        self.spec = Spec.from_yaml(yaml)
        self.limits = limits
        self.timing = timing
        self.columns: Columns = find_columns(frame, spec)
        self._kept: list[DataFrame] = []
        self._chunks: Optional[DataFrame] = None
        self._partitions: Optional[int] = None
        self.passes = 0
        self.warnings: list[str] = []
        self._task = Task(version=shoal.__version__, yaml=yaml, columns=self.columns.sent,
                          absent=self.columns.absent, most_values=limits.most_values, person=self.columns.person,
                          own_k=self.columns.own_k)
        self._handle: Optional[_core.DivisionHandle] = None

    # --- Count.

    def build(self) -> None:
        """Read the frame once: its chunks, and the division of all values."""
        sent = pick(self.frame, self.columns.sent)
        if self.columns.person is not None:
            # Who counts must see all records of a person at once.
            whose = sent[quoted(self.columns.person)]
            sent = sent.repartition(whose).sortWithinPartitions(whose)
        chunks = sent.mapInArrow(_worker.pack(self._task), PARTS)
        if self.limits.keep:
            chunks = chunks.persist()
            self._kept.append(chunks)
        self._chunks = chunks
        with self.timing.stage("read"):
            values = self._add_up(chunks.where(f"kind != {CHUNK}"), VALUES)
        if values is None:
            raise InvalidError("The DataFrame has no records.")
        with self.timing.stage("divide"):
            _worker.check_values(values, self.limits.most_values)
            options: _core.Options = (None, self._hear, False, 0)
            self._handle = _core.division_build(options, self.spec._handle, values)
            self._records = _core.values_facts(values)[0]
            self.distinct = dict(_core.values_facts(values)[1])

    def _hear(self, level: int, message: str, where: object) -> None:
        if level == 1:
            self.warnings.append(message)

    @property
    def handle(self) -> _core.DivisionHandle:
        assert self._handle is not None
        return self._handle

    @property
    def records(self) -> int:
        return self._records

    @property
    def sizes(self) -> list[int]:
        """Records of each fragment."""
        return _core.division_facts(self.handle)[1]

    def _add_up(self, parts: DataFrame, kind: int) -> Any:
        """What all partitions tell, as one; None when there is nothing."""
        self.passes += 1
        division = self._handle
        with translating(self.limits.fragment_records):
            told = self._few(parts, kind).collect()
        for row in told:
            if row["kind"] == FAILURE:
                raise self._failed(bytes(row["data"]).decode())
        whole: Any = None
        # The same sum in whatever order partitions answer.
        for row in sorted(told, key=lambda row: bytes(row["data"])):
            whole = _worker.merge_one(self.spec, division, kind, whole, bytes(row["data"]))
        return whole

    def _few(self, parts: DataFrame, kind: int) -> DataFrame:
        """Of many partitions, sums of some; so the driver has few to hold."""
        if self._partitions is None:
            assert self._chunks is not None
            self._partitions = _partition_count(self._chunks)
        count = self._partitions
        if count <= _COLLECTED_PARTS:
            return parts
        return parts.repartition(max(2, math.isqrt(count))).mapInArrow(_worker.merge(self._task, kind), PARTS)

    def _failed(self, told: str) -> Error:
        error = rebuild(told, self.limits.fragment_records)
        if "the division lacks" in str(error):
            return InvalidError(_CHANGED.format(f'a column ("{error.column}") has a value that it did not have '
                                                "when values were counted"), column=error.column)
        if isinstance(error, InvalidError) and ("more or fewer" in str(error) or "fragment" in str(error)):
            return InvalidError(_CHANGED.format("a fragment has more or fewer records than were counted"))
        return error

    # --- Cut.

    def cut(self) -> None:
        """Cut until every fragment is small enough."""
        with self.timing.stage("divide"):
            most = self.limits.fragment_records
            left = _core.division_cut(QUIET, self.handle, None, most)
            while left:
                self._send()
                assert self._chunks is not None
                chunks = self._chunks.where(f"kind = {CHUNK}")
                counts = self._add_up(chunks.mapInArrow(_worker.count(self._task), PARTS), COUNTS)
                if counts is None:
                    raise InvalidError(_CHANGED.format("there are no records any more"))
                try:
                    left = _core.division_cut(QUIET, self.handle, counts, most)
                except InvalidError:
                    raise InvalidError(_CHANGED.format("there are more or fewer records than at first")) from None
            largest = max(self.sizes)
            if largest > most:
                raise LimitError(
                    f"A part of {largest} records cannot be cut further under the requirement, and an executor is to "
                    f"solve at most {most} at once. Raise fragment_records to {largest}, and the memory of executors "
                    "with it, or ask for less.")
            self._send()

    def _send(self) -> None:
        self._task = replace(self._task, division=_core.division_write(QUIET, self.handle))

    @property
    def task(self) -> Task:
        return self._task

    # --- Route and solve.

    def solve(self) -> DataFrame:
        """The released rows with what stands beside them until they are verified; nothing runs yet."""
        assert self._chunks is not None
        spec = self.spec
        schema = released_schema(self.frame, spec, self.columns, beside=True)
        tokens = spec.get("missing_tokens")
        task = replace(
            self._task, released=arrow_schema(schema, _time_zone(self.frame)), as_they_are=self.columns.as_they_are,
            one_missing=tuple(self.columns.sensitive) if reads_sensitive(spec) else (),
            tokens=tuple(tokens) if isinstance(tokens, list) else tuple(missing_tokens(spec)))
        count = len(self.sizes)
        routed = self._chunks.where(f"kind = {CHUNK}").mapInArrow(_worker.route(self._task), PARTS)
        placed = _place(routed, count).sortWithinPartitions("place")
        return placed.mapInArrow(_worker.solve(task), schema)

    def check_notes(self, rows: DataFrame) -> float:
        """Run what solves, and hear what each fragment tells; the loss of all."""
        with translating(self.limits.fragment_records):
            told = rows.where(f"{NOTE} is not null").select(FRAGMENT, NOTE).collect()
        notes: dict[int, dict[str, Any]] = {}
        for row in told:
            facts = json.loads(row[NOTE])
            if "class" in facts:
                raise self._failed(row[NOTE])
            notes[row[FRAGMENT]] = facts
        sizes = self.sizes
        if sorted(notes) != list(range(len(sizes))) or len(told) != len(sizes):
            raise RejectedError(f"{len(told)} fragments came back of {len(sizes)}; nothing was published.")
        for number, size in enumerate(sizes):
            if notes[number]["records"] != size:
                raise RejectedError(f"Fragment {number} came back with {notes[number]['records']} records of {size}; "
                                    "nothing was published.")
        return math.fsum(notes[number]["ncp"] for number in range(len(sizes)))

    def keep(self, frame: DataFrame) -> DataFrame:
        """Let Spark keep a frame until :meth:`close`."""
        kept = frame.persist()
        self._kept.append(kept)
        return kept

    def release(self, frame: DataFrame) -> None:
        """Do not let go of a frame at the end."""
        self._kept = [kept for kept in self._kept if kept is not frame]

    def close(self) -> None:
        """Let Spark forget what it kept."""
        while self._kept:
            self._kept.pop().unpersist()


def _partition_count(frame: DataFrame) -> int:
    """How many partitions there are; few, where nobody can tell (Spark Connect)."""
    plan = getattr(frame, "_jdf", None)
    if plan is None:
        return 1
    return int(plan.queryExecution().toRdd().getNumPartitions())


def _place(frame: DataFrame, count: int) -> DataFrame:
    """Each fragment in one partition: its own where Spark can do that (from 4.1 on)."""
    if hasattr(frame, "repartitionById"):
        return frame.repartitionById(count, frame["place"])
    return frame.repartition(count, frame["place"])


def _time_zone(frame: DataFrame) -> str:
    return str(frame.sparkSession.conf.get("spark.sql.session.timeZone"))


# --- What is released. ------------------------------------------------------------------------


def reads_sensitive(spec: Spec) -> bool:
    """Whether a requirement is about sensitive columns."""
    return any(spec.get(key) for key in ("alpha", "l", "t", "delta", "beta"))


def missing_tokens(spec: Spec) -> list[str]:
    """Texts that stand for a missing value."""
    said = spec.get("missing_tokens")
    if said is None or said == []:
        return ["?", ""]
    return said if isinstance(said, list) else said.split(",")


def _is_number(spec: Spec, name: str, kind: str) -> bool:
    said = _core.spec_get_column(QUIET, spec._handle, name, "type")
    if said and said != "auto":
        return said in ("integer", "real", "date")
    return kind not in ("string", "boolean") and not kind.startswith(("char", "varchar"))


def released_schema(frame: DataFrame, spec: Spec, columns: Columns, *, beside: bool) -> Any:
    """Columns of the release: texts of quasi columns, or their least and greatest value; others as they are."""
    from pyspark.sql import types

    minmax = spec.get("output_numeric") == "minmax"
    fields = []
    for declared in frame.schema.fields:
        name = declared.name
        if name in columns.as_they_are:
            fields.append(types.StructField(name, declared.dataType, True))
        elif name in columns.quasi:
            kind = declared.dataType.simpleString()
            hierarchy = _core.spec_get_column(QUIET, spec._handle, name, "hierarchy")
            if minmax and not hierarchy and _is_number(spec, name, kind):
                fields += [types.StructField(name + end, _end_type(spec, name, declared), True)
                           for end in ("_min", "_max")]
            else:
                fields.append(types.StructField(name, types.StringType(), True))
    if beside:
        fields += [types.StructField(FRAGMENT, types.IntegerType(), True),
                   types.StructField(NOTE, types.StringType(), True)]
        if columns.person is not None:
            fields.append(types.StructField(PERSON, types.StringType(), True))
        if columns.own_k is not None:
            fields.append(types.StructField(OWN_K, types.LongType(), True))
    return types.StructType(fields)


def _end_type(spec: Spec, name: str, declared: Any) -> Any:
    from pyspark.sql import types

    said = _core.spec_get_column(QUIET, spec._handle, name, "type")
    kind = declared.dataType.simpleString()
    if said == "date" or (said in (None, "auto") and kind.startswith(("date", "timestamp"))):
        return types.DateType()
    if said == "integer" or (said in (None, "auto") and kind in ("tinyint", "smallint", "int", "bigint")):
        return types.LongType()
    return types.DoubleType()


def arrow_schema(schema: Any, time_zone: str) -> Any:
    """The same for pyarrow, as Spark sends and takes it."""
    import pyarrow

    plain = {"string": pyarrow.string(), "boolean": pyarrow.bool_(), "tinyint": pyarrow.int8(),
             "smallint": pyarrow.int16(), "int": pyarrow.int32(), "bigint": pyarrow.int64(),
             "float": pyarrow.float32(), "double": pyarrow.float64(), "date": pyarrow.date32(),
             "timestamp": pyarrow.timestamp("us", time_zone), "timestamp_ntz": pyarrow.timestamp("us")}

    def find(kind: Any) -> Any:
        name = kind.simpleString()
        if name.startswith("decimal"):
            return pyarrow.decimal128(kind.precision, kind.scale)
        return plain.get(name, pyarrow.string())  # char, varchar, texts with a collation

    return pyarrow.schema([(field.name, find(field.dataType)) for field in schema.fields])


def refuse(spec: Spec) -> None:
    """What cannot be served is refused before a job starts, with the reason."""
    if spec.get("time"):
        raise UnsupportedError("On Spark a method cannot go by the clock: a task that is repeated must give the same "
                               "rows. Use effort instead of time.")
    for key, why in (("memory", "a limit of memory is that of executors: fragment_records"),
                     ("temporary", "no temporary files are written")):
        if spec.get(key):
            raise UnsupportedError(f"{key} has no meaning on Spark: {why}.")
    if spec.get("output_order") == "keep":
        raise UnsupportedError("Rows of a DataFrame have no order that could be kept; take output_order out.")
    if spec.has_formats():
        raise UnsupportedError("Formats of numbers and dates are those of files that Shoal reads itself; let Spark "
                               "read them: spark.read.option(...).")
