"""Verified by Spark itself: classes, persons and sensitive values are counted by SQL over the released columns, as
anybody could who has them, and judged by _judge.py. Nothing here is told by libshoal what it is to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Optional

import pyarrow
import pyarrow.compute as compute

from .. import _core
from .._errors import InvalidError, LimitError, NotFoundError, RejectedError, UnsupportedError
from .._report import Verdict
from .._runtime import QUIET
from .._spec import Spec
from .._table import table as make_table
from ._cluster import translating
from ._divide import missing_tokens
from ._frame import quoted
from ._judge import Asked, Classes, Domain, Finding, judge, list_asked, summarize, words
from ._worker import OWN_K, PERSON

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_VALUE, _COUNT, _SIZE, _RECORDS, _LIST = "shoal_value", "shoal_count", "shoal_size", "shoal_records", "shoal_list"
_FOUND = "number int, worst double, size long, classes long, records long"


@dataclass
class Found:
    """What SQL found in a release."""

    records: int
    classes: int
    smallest: int      # of its persons, where persons are counted
    largest: int
    persons: Optional[int]
    verdicts: tuple[Verdict, ...]
    #: Classes and records with one value of a sensitive column.
    single: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return all(verdict.holds for verdict in self.verdicts)


def quasi_columns(frame: DataFrame, quasi: Sequence[str]) -> list[str]:
    """Quasi columns as they are released: NAME, or NAME_min and NAME_max."""
    there = frame.columns
    names: list[str] = []
    for name in quasi:
        if name in there:
            names.append(name)
        elif name + "_min" in there and name + "_max" in there:
            names += [name + "_min", name + "_max"]
        else:
            raise NotFoundError(f'The release has no column "{name}"; it has {", ".join(there)}.', column=name)
    return names


def _texts(frame: DataFrame, name: str, tokens: Sequence[str]) -> Column:
    """A sensitive column as texts; all missing values are one."""
    from pyspark.sql import functions

    text = frame[quoted(name)].cast("string")
    return functions.when(~text.isin(list(tokens)), text)


def verify_frame(
    frame: DataFrame,
    spec: Spec,
    *,
    most_values: int,
    fragment_records: int,
    person: bool = False,
    singles: bool = False,
) -> Found:
    """Count and judge a release: rows of its columns and, beside them, of persons and the records' own k."""
    refuse_unjudged(spec, OWN_K in frame.columns)
    quasi = quasi_columns(frame, spec.with_role("quasi"))
    if not quasi:
        raise InvalidError("A release is verified by its quasi columns, and none is named.")
    sensitive = spec.with_role("sensitive")
    asked = list_asked({key: spec.get(key) for key in ("k", "k_column", "alpha", "l", "t", "delta", "beta")}, sensitive)
    if not asked:
        raise InvalidError("Nothing is asked for: give k, or a requirement on sensitive columns.")
    for name in {one.column for one in asked if one.column}:
        if name not in frame.columns:
            raise NotFoundError(f'The release has no column "{name}"; it has {", ".join(frame.columns)}.', column=name)
    unit = "person" if person else "record"
    tokens = missing_tokens(spec)
    keys = [frame[quoted(name)] for name in quasi]
    findings = {number: Finding() for number in range(len(asked))}
    with translating(fragment_records):
        found = _count_sizes(frame, keys, asked, findings, person, sensitive if singles else [], tokens)
        for name in dict.fromkeys(one.column for one in asked if one.column):
            _judge_column(frame, keys, name, asked, findings, found, spec, tokens, person, most_values)
    found.verdicts = tuple(_verdict(one, findings[number], unit) for number, one in enumerate(asked))
    return found


def refuse_unjudged(spec: Spec, has_k: bool) -> None:
    """What only other counts could tell."""
    for key in ("k_map", "presence"):
        if spec.get(key):
            raise UnsupportedError(f"{key} is about a population, which Spark does not hold here; use shoal.verify.")
    if spec.get("k_column") and not has_k:
        raise UnsupportedError("A k of each record's own is known while a release is made, and not told by it.")


# --- Sizes. -----------------------------------------------------------------------------------


def _count_sizes(frame: DataFrame, keys: list[Column], asked: list[Asked], findings: dict[int, Finding],
                 person: bool, sensitive: Sequence[str], tokens: Sequence[str]) -> Found:
    from pyspark.sql import functions as f

    counts = [f.count(f.lit(1)).alias(_RECORDS)]
    counts.append((f.count_distinct(frame[PERSON]) if person else f.count(f.lit(1))).alias(_SIZE))
    own = OWN_K in frame.columns
    if own:
        counts.append(f.max(frame[OWN_K]).alias(OWN_K))
    for number, name in enumerate(sensitive):  # texts themselves would be sorted
        value = f.xxhash64(f.coalesce(_texts(frame, name, tokens), f.lit("\x00")))
        counts += [f.min(value).alias(f"least{number}"), f.max(value).alias(f"most{number}")]
    classes = frame.groupBy(*keys).agg(*counts)
    wanted = [f.count(f.lit(1)).alias("classes"), f.sum(_RECORDS).alias("records"), f.min(_SIZE).alias("smallest"),
              f.max(_SIZE).alias("largest")]
    for number, one in enumerate(asked):
        if one.column:
            continue
        least = f.col(OWN_K) if one.key == "record_k" else f.lit(int(one.value))
        fails = f.col(_SIZE) < least
        figure = f.col(_SIZE) / f.col(OWN_K) if one.key == "record_k" else f.col(_SIZE).cast("double")
        worst = f.min(f.struct(figure.alias("figure"), f.col(_RECORDS).alias("size")))
        wanted += [worst.alias(f"worst{number}"), f.count(f.when(fails, 1)).alias(f"classes{number}"),
                   f.coalesce(f.sum(f.when(fails, f.col(_RECORDS))), f.lit(0)).alias(f"records{number}")]
    for number in range(len(sensitive)):
        same = f.col(f"least{number}") == f.col(f"most{number}")
        wanted += [f.count(f.when(same, 1)).alias(f"single{number}"),
                   f.coalesce(f.sum(f.when(same, f.col(_RECORDS))), f.lit(0)).alias(f"alike{number}")]
    row = classes.agg(*wanted).collect()[0]
    if not row["classes"]:
        raise InvalidError("The release has no rows.")
    for number, one in enumerate(asked):
        if not one.column:
            worst = row[f"worst{number}"]
            findings[number].take(float(worst["figure"]), int(worst["size"]), row[f"classes{number}"],
                                  row[f"records{number}"], True)
    persons = int(frame.agg(f.count_distinct(frame[PERSON])).collect()[0][0]) if person else None
    return Found(records=int(row["records"]), classes=int(row["classes"]), smallest=int(row["smallest"]),
                 largest=int(row["largest"]), persons=persons, verdicts=(),
                 single={name: (int(row[f"single{number}"]), int(row[f"alike{number}"]))
                         for number, name in enumerate(sensitive)})


# --- A sensitive column. ----------------------------------------------------------------------


def _domain(frame: DataFrame, name: str, spec: Spec, tokens: Sequence[str], person: bool, most: int,
            asked: list[Asked]) -> Domain:
    """The values of the column and how often each occurs, in the order that an ordered distance goes by."""
    from pyspark.sql import functions as f

    text = _texts(frame, name, tokens).alias(_VALUE)
    how_many = f.count_distinct(frame[PERSON]) if person else f.count(f.lit(1))
    rows = frame.groupBy(text).agg(how_many.alias(_COUNT)).limit(most + 1).collect()
    if len(rows) > most:
        raise LimitError(f'The column "{name}" has more than {most} different values, which the driver would have to '
                         "hold; raise most_values.", column=name)
    ordered = any(one.kind == "ordered" for one in asked)
    there = sorted((row[_VALUE] for row in rows if row[_VALUE] is not None),
                   key=_order_of(frame, name, spec) if ordered else None)
    values: list[Optional[str]] = [*there, *([None] if any(row[_VALUE] is None for row in rows) else [])]
    counts = {row[_VALUE]: row[_COUNT] for row in rows}
    nodes: tuple[Any, Any, Any] = ((), (), ())
    if any(one.kind == "hierarchical" for one in asked):
        nodes = _nodes(frame, name, spec, values)
    return Domain(tuple(values), tuple(counts[value] for value in values), *(tuple(part) for part in nodes))


def _kind(frame: DataFrame, name: str, spec: Spec) -> str:
    said = _core.spec_get_column(QUIET, spec._handle, name, "type")
    if said and said != "auto":
        return said
    kind = frame.schema[name].dataType.simpleString()
    if kind in ("tinyint", "smallint", "int", "bigint"):
        return "integer"
    return "real" if kind.startswith(("float", "double", "decimal")) else "date" if kind == "date" else "string"


def _order_of(frame: DataFrame, name: str, spec: Spec) -> Callable[[str], Any]:
    kind = _kind(frame, name, spec)
    if kind == "string":
        raise InvalidError(f'The ordered distance needs numbers or dates, but column "{name}" holds texts; give it the '
                           "type integer, real or date, or use the distance equal, hierarchical or js.", column=name)
    return int if kind == "integer" else float if kind == "real" else str


def _nodes(frame: DataFrame, name: str, spec: Spec, values: list[Optional[str]]) -> tuple[Any, Any, Any]:
    kind = _kind(frame, name, spec)
    cells = [None if value is None else int(value) if kind == "integer" else float(value) if kind == "real" else value
             for value in values]
    others = {other: ["1"] * len(cells) for other in spec.columns if other != name}
    return _core.hierarchy_nodes(QUIET, spec._handle, make_table({name: cells, **others})._handle, name)


def _judge_column(frame: DataFrame, keys: list[Column], name: str, asked: list[Asked], findings: dict[int, Finding],
                  found: Found, spec: Spec, tokens: Sequence[str], person: bool, most: int) -> None:
    mine = {number: one for number, one in enumerate(asked) if one.column == name}
    domain = _domain(frame, name, spec, tokens, person, most, list(mine.values()))
    for one in mine.values():
        for value in one.names:
            if domain.find(value, tokens) < 0:
                raise NotFoundError(f'A value that {one.key} names does not occur in the column "{name}".',
                                    column=name)
    classes = _histograms(frame, keys, name, tokens, person, mine)
    for row in classes.mapInArrow(_judging(mine, domain, tuple(tokens)), _FOUND).collect():
        one = mine[row["number"]]
        findings[row["number"]].take(row["worst"], row["size"], row["classes"], row["records"], one.larger_is_safer)


def _histograms(frame: DataFrame, keys: list[Column], name: str, tokens: Sequence[str], person: bool,
                mine: dict[int, Asked]) -> DataFrame:
    """Of each class: records, persons, and how often each value occurs."""
    from pyspark.sql import functions as f

    names = [f"shoal_key{number}" for number in range(len(keys))]
    plain = [key.alias(alias) for key, alias in zip(keys, names)]
    text = _texts(frame, name, tokens).alias(_VALUE)
    pairs = [f.collect_list(f.struct(f.col(_VALUE), f.col(_COUNT))).alias(_LIST)]
    if not person:
        counted = frame.select(*plain, text).groupBy(*names, _VALUE).agg(f.count(f.lit(1)).alias(_COUNT))
        classes = counted.groupBy(*names).agg(f.sum(_COUNT).alias(_RECORDS), f.sum(_COUNT).alias(_SIZE), *pairs)
        joined: list[Column] = []
    else:
        rows = frame.select(*plain, text, frame[PERSON])
        counted = rows.groupBy(*names, _VALUE).agg(f.count_distinct(PERSON).alias(_COUNT))
        values = counted.groupBy(*names).agg(*pairs)
        sizes = [f.count(f.lit(1)).alias(_RECORDS), f.count_distinct(PERSON).alias(_SIZE)]
        together = {number: one for number, one in mine.items() if one.kind == "values"}
        sizes += [f.count_distinct(f.when(_is_named(one.names, tokens), f.col(PERSON))).alias(f"joined{number}")
                  for number, one in together.items()]
        whole = rows.groupBy(*names).agg(*sizes)
        same = [values[name].eqNullSafe(whole[name]) for name in names]
        classes = values.join(whole, same).select(values[_LIST], whole[_RECORDS], whole[_SIZE],
                                                  *(whole[f"joined{number}"] for number in together))
        joined = [f.col(f"joined{number}") for number in together]
    return classes.select(_RECORDS, _SIZE, f.col(f"{_LIST}.{_VALUE}").alias("values"),
                          f.col(f"{_LIST}.{_COUNT}").alias("counts"), *joined)


def _is_named(names: Sequence[str], tokens: Sequence[str]) -> Column:
    from pyspark.sql import functions as f

    named = f.col(_VALUE).isin(list(names))
    return named | f.col(_VALUE).isNull() if any(name in tokens for name in names) else named


def _judging(mine: dict[int, Asked], domain: Domain, tokens: tuple[str, ...]) -> Callable[..., Any]:
    """Runs in executors: counts of classes, as SQL made them, in; findings out."""

    def run(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        findings = {number: Finding() for number in mine}
        for batch in batches:
            if batch.num_rows == 0:
                continue
            sizes = batch.column("shoal_size").to_numpy()
            records = batch.column("shoal_records").to_numpy()
            classes = _classes_of(batch, domain, sizes)
            for number, one in mine.items():
                joined = f"joined{number}"
                named = batch.column(joined).to_numpy() if joined in batch.schema.names else None
                figure, holds = judge(one, classes, domain, tokens, named)
                findings[number].take(*summarize(one, figure, holds, records), one.larger_is_safer)
        rows = [{"number": number, "worst": it.worst, "size": it.worst_size, "classes": it.failing_classes,
                 "records": it.failing_records} for number, it in findings.items() if it.worst == it.worst]
        if rows:
            schema = pyarrow.schema([("number", pyarrow.int32()), ("worst", pyarrow.float64()),
                                     ("size", pyarrow.int64()), ("classes", pyarrow.int64()),
                                     ("records", pyarrow.int64())])
            yield pyarrow.RecordBatch.from_pylist(rows, schema=schema)

    return run


def _classes_of(batch: pyarrow.RecordBatch, domain: Domain, sizes: Any) -> Classes:
    values, counts = batch.column("values"), batch.column("counts")
    starts = values.offsets.to_numpy()
    present = [value for value in domain.values if value is not None]
    places = compute.index_in(values.flatten(), pyarrow.array(present, values.type.value_type))
    # A null is a missing value, which comes last, or one that the whole table does not have.
    is_lacking = values.flatten().is_valid().to_numpy(zero_copy_only=False) & ~places.is_valid().to_numpy(
        zero_copy_only=False)
    if is_lacking.any():
        raise RejectedError("The release changed while it was verified; nothing was published.")
    places = compute.fill_null(places, len(present)).to_numpy()
    return Classes(sizes=sizes, starts=starts[:-1] - starts[0], places=places, counts=counts.flatten().to_numpy())


def _verdict(asked: Asked, finding: Finding, unit: str) -> Verdict:
    title, sentence, figure = words(asked, unit)
    bound = asked.c if asked.kind == "recursive" else 1.0 if asked.key == "record_k" else asked.value
    return Verdict(key=asked.key, kind=asked.kind, title=title, asked=sentence, column=asked.column, figure=figure,
                   worst=finding.worst, bound=bound, larger_is_safer=asked.larger_is_safer,
                   holds=finding.failing_classes == 0 and finding.worst == finding.worst, worst_class=-1,
                   worst_class_size=finding.worst_size, worst_row=-1, failing_classes=finding.failing_classes,
                   failing_records=finding.failing_records)
