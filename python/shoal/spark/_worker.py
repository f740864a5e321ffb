"""What runs in executors: the verbs of a division (include/shoal/division.h) over Arrow batches.

Each function takes the batches of a partition and gives rows of :data:`PARTS`, a frame of the driver's and the
executors' own: chunks of records, values and counts as bytes, or a failure. A failure is a row and no
exception, so that Spark does not try in vain again, and no message with the content of a cell gets into a log.

Records travel as chunks: Arrow's IPC format, texts as dictionaries, packed by lz4. The columns are read from
their source once; passes after that move a few bytes per record.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Callable, Optional

import numpy
import pyarrow
import pyarrow.compute as compute

import shoal

from .. import _core
from .._errors import Error
from .._spec import Spec

#: One thread for each task; Spark has as many tasks at once as there are cores.
_ONE_THREAD: _core.Options = (None, None, False, 1)

#: Rows of an internal frame. ``number`` is how many records a chunk has, ``place`` the fragment of a chunk.
PARTS = "kind int, place int, number long, data binary"
CHUNK, VALUES, COUNTS, FAILURE, FIGURES = range(5)
_SCHEMA = pyarrow.schema([("kind", pyarrow.int32()), ("place", pyarrow.int32()), ("number", pyarrow.int64()),
                          ("data", pyarrow.binary())])

#: Records of a chunk, and of what is sorted by fragment at once.
CHUNK_RECORDS = 1 << 16
_ROUTED_RECORDS = 1 << 19
#: Rows of a batch that goes back to Spark.
_BATCH_ROWS = 1 << 14

#: What stands beside released rows until they are verified: never handed out.
FRAGMENT, NOTE, PERSON, OWN_K = "shoal_fragment", "shoal_note", "shoal_person", "shoal_k"

Batches = Iterator[pyarrow.RecordBatch]


@dataclass(frozen=True)
class Task:
    """What every executor is told: which columns there are, and what was asked for."""

    version: str
    yaml: str
    #: Columns that are sent, in the order of the table, and those that only the spec speaks of.
    columns: tuple[str, ...]
    absent: tuple[str, ...]
    most_values: int
    division: bytes = b""
    #: Of released rows: quasi columns, columns as they are, those of them whose missing values are one.
    released: Optional[pyarrow.Schema] = None
    as_they_are: tuple[str, ...] = ()
    one_missing: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    person: Optional[str] = None
    own_k: Optional[str] = None

    def spec(self) -> Spec:
        if shoal.__version__ != self.version:
            raise Error(f"The driver has shoal {self.version}, an executor shoal {shoal.__version__}: install the "
                        "same wheel on all of them.")
        return Spec.from_yaml(self.yaml)


# --- Rows of PARTS. ---------------------------------------------------------------------------


def _part(kind: int, place: int, number: int, data: bytes) -> pyarrow.RecordBatch:
    return pyarrow.RecordBatch.from_arrays(
        [pyarrow.array([kind], pyarrow.int32()), pyarrow.array([place], pyarrow.int32()),
         pyarrow.array([number], pyarrow.int64()), pyarrow.array([data], pyarrow.binary())],
        schema=_SCHEMA)


def describe(error: BaseException) -> str:
    """A failure as JSON, without what may hold the content of a cell."""
    if isinstance(error, Error):
        return json.dumps({"class": type(error).__name__, "message": error.message, "column": error.column})
    if isinstance(error, (MemoryError, pyarrow.ArrowMemoryError)):
        return json.dumps({"class": "OutOfMemoryError", "message": "There was not enough memory.", "column": None})
    # Messages of other libraries may quote cells, so the place has to do.
    at = error.__traceback__
    while at is not None and at.tb_next is not None and "shoal" in at.tb_next.tb_frame.f_code.co_filename:
        at = at.tb_next
    place = f"{os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}" if at is not None else "an executor"
    return json.dumps({"class": "Error", "column": None,
                       "message": f"This should not have happened: {type(error).__name__} at {place}. Please report it."})


def _failure(error: BaseException) -> pyarrow.RecordBatch:
    return _part(FAILURE, 0, 0, describe(error).encode())


def _guarded(run: Callable[[Batches], Batches]) -> Callable[[Batches], Batches]:
    """Failures as rows."""

    def guarded(batches: Batches) -> Batches:
        try:
            yield from run(batches)
        except Exception as error:
            yield _failure(error)

    return guarded


# --- Chunks. ----------------------------------------------------------------------------------


def _coded(column: Any) -> Any:
    """Texts as a dictionary of those that are there."""
    column = _plain(column)
    if not (pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type)):
        return column
    if isinstance(column, pyarrow.ChunkedArray):
        column = pyarrow.concat_arrays(column.chunks) if column.num_chunks else pyarrow.array([], column.type)
    return column.dictionary_encode()


def _pack(table: pyarrow.Table) -> pyarrow.Table:
    return pyarrow.table([_coded(column) for column in table.columns], names=table.column_names)


def _to_bytes(table: pyarrow.Table) -> bytes:
    sink = pyarrow.BufferOutputStream()
    options = pyarrow.ipc.IpcWriteOptions(compression="lz4", unify_dictionaries=True)
    with pyarrow.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table.combine_chunks())
    return bytes(sink.getvalue())


def _from_bytes(data: Any) -> pyarrow.Table:
    return pyarrow.ipc.open_stream(data).read_all()


def _load(task: Task, table: pyarrow.Table) -> _core.TableHandle:
    """As the library takes it; of columns that are never looked at, the names."""
    for name in task.absent:
        table = table.append_column(name, pyarrow.nulls(table.num_rows))
    return _core.table_import(_ONE_THREAD, table.__arrow_c_stream__())


def _gathered(batches: Batches, most: int) -> Iterator[pyarrow.Table]:
    """Batches of Spark, which are small, as tables of at most so many records."""
    waiting: list[pyarrow.RecordBatch] = []
    count = 0
    for batch in batches:
        while count + batch.num_rows >= most:
            fitting = most - count
            yield pyarrow.Table.from_batches(waiting + [batch.slice(0, fitting)])
            batch = batch.slice(fitting)
            waiting, count = [], 0
        if batch.num_rows:
            waiting.append(batch)
            count += batch.num_rows
    if waiting:
        yield pyarrow.Table.from_batches(waiting)


def _whole_persons(batches: Batches, person: str, most: int) -> Iterator[pyarrow.Table]:
    """The same of records that are sorted by person: nobody's are parted."""
    waiting: Optional[pyarrow.Table] = None
    for table in _gathered(batches, most):
        if waiting is not None:
            table = pyarrow.concat_tables([waiting, table]).combine_chunks()
        end = _last_person(table.column(person))
        if end > 0:
            yield table.slice(0, end)
        waiting = table.slice(end)
    if waiting is not None and waiting.num_rows:
        yield waiting


def _last_person(column: Any) -> int:
    """Where the records of the last person begin; nobody's may lie anywhere."""
    last = column[-1]
    if not last.is_valid:
        return len(column)
    others = numpy.flatnonzero(~compute.fill_null(compute.equal(column, last), False).to_numpy(zero_copy_only=False))
    return int(others[-1]) + 1 if len(others) else 0


def _parts_of(batches: Batches) -> Iterator[tuple[int, int, int, Any]]:
    for batch in batches:
        kinds, places, numbers = (batch.column(i).to_pylist() for i in range(3))
        data = batch.column(3)
        for row, kind in enumerate(kinds):
            yield kind, places[row], numbers[row], data[row].as_buffer()


def check_values(values: _core.ValuesHandle, most: int) -> None:
    """Refuse columns that would fill the driver's memory."""
    for name, count in _core.values_facts(values)[1]:
        if count > most:
            raise shoal.LimitError(
                f'The column "{name}" has more than {most} different values, which every executor and the driver '
                "would have to hold. Make it coarser, or an identifier; or raise most_values, and the memory of "
                "driver and executors with it.", column=name)


# --- The verbs. -------------------------------------------------------------------------------


def pack(task: Task) -> Callable[[Batches], Batches]:
    """Chunks of the records, and their values."""

    def run(batches: Batches) -> Batches:
        spec = task.spec()
        values: Optional[_core.ValuesHandle] = None
        total = 0
        tables = (_gathered(batches, CHUNK_RECORDS) if task.person is None
                  else _whole_persons(batches, task.person, CHUNK_RECORDS))
        for table in tables:
            packed = _pack(table)
            more = _core.values_count(_ONE_THREAD, spec._handle, _load(task, packed))
            if values is None:
                values = more
            else:
                _core.values_add(_ONE_THREAD, values, more)
            check_values(values, task.most_values)
            total += packed.num_rows
            yield _part(CHUNK, 0, packed.num_rows, _to_bytes(packed))
        if values is not None:
            yield _part(VALUES, 0, total, _core.values_write(_ONE_THREAD, values))

    return _guarded(run)


def merge(task: Task, kind: int) -> Callable[[Batches], Batches]:
    """Values or counts of several partitions as one; failures go on as they are."""

    def run(batches: Batches) -> Batches:
        spec = task.spec()
        division = _core.division_read(_ONE_THREAD, spec._handle, task.division) if kind == COUNTS else None
        whole: Any = None
        total = 0
        for found, place, number, data in _parts_of(batches):
            if found == FAILURE:
                yield _part(found, place, number, bytes(data))
                continue
            total += number
            whole = merge_one(spec, division, kind, whole, bytes(data))
            if kind == VALUES:
                check_values(whole, task.most_values)
        if whole is not None:
            write = _core.values_write if kind == VALUES else _core.counts_write
            yield _part(kind, 0, total, write(_ONE_THREAD, whole))

    return _guarded(run)


def merge_one(spec: Spec, division: Optional[_core.DivisionHandle], kind: int, whole: Any, data: bytes) -> Any:
    """Add one part, the first of which is None."""
    if kind == VALUES:
        more: Any = _core.values_read(_ONE_THREAD, spec._handle, data)
    else:
        assert division is not None
        more = _core.counts_read(_ONE_THREAD, division, data)
    if whole is None:
        return more
    (_core.values_add if kind == VALUES else _core.counts_add)(_ONE_THREAD, whole, more)
    return whole


def count(task: Task) -> Callable[[Batches], Batches]:
    """What the fragments of the division ask, answered by chunks, which have whole persons."""

    def run(batches: Batches) -> Batches:
        spec = task.spec()
        division = _core.division_read(_ONE_THREAD, spec._handle, task.division)
        whole: Optional[_core.CountsHandle] = None
        total = 0
        for kind, _, _, data in _parts_of(batches):
            if kind != CHUNK:
                continue
            table = _from_bytes(data)
            more = _core.division_count(_ONE_THREAD, division, _load(task, table))
            if whole is None:
                whole = more
            else:
                _core.counts_add(_ONE_THREAD, whole, more)
            total += table.num_rows
        if whole is not None:
            yield _part(COUNTS, 0, total, _core.counts_write(_ONE_THREAD, whole))

    return _guarded(run)


def _joined(tables: list[pyarrow.Table]) -> pyarrow.Table:
    return pyarrow.concat_tables(tables).unify_dictionaries() if len(tables) > 1 else tables[0]


def route(task: Task) -> Callable[[Batches], Batches]:
    """The records of chunks by the fragment they go to."""

    def run(batches: Batches) -> Batches:
        spec = task.spec()
        division = _core.division_read(_ONE_THREAD, spec._handle, task.division)
        waiting: list[pyarrow.Table] = []
        places: list[Any] = []
        rows = 0
        for kind, _, _, data in _parts_of(batches):
            if kind != CHUNK:
                continue
            table = _from_bytes(data)
            routed = _core.division_route(_ONE_THREAD, division, _load(task, table))
            waiting.append(table)
            places.append(numpy.frombuffer(routed, numpy.uint32))
            rows += table.num_rows
            if rows >= _ROUTED_RECORDS:
                yield from _by_fragment(waiting, places)
                waiting, places, rows = [], [], 0
        if rows:
            yield from _by_fragment(waiting, places)

    return _guarded(run)


def _by_fragment(tables: list[pyarrow.Table], places: list[Any]) -> Batches:
    place = numpy.concatenate(places)
    order = numpy.argsort(place, kind="stable")
    sorted_places = place[order]
    table = _joined(tables).combine_chunks().take(pyarrow.array(order))
    numbers, starts = numpy.unique(sorted_places, return_index=True)
    ends: Any = numpy.append(starts[1:], len(place))
    for number, start, end in zip(numbers.tolist(), starts.tolist(), ends.tolist()):
        if number != 0xFFFFFFFF:  # left out: a value is missing
            yield _part(CHUNK, number, end - start, _to_bytes(_pack(table.slice(start, end - start))))


# --- Solving. ---------------------------------------------------------------------------------


def solve(task: Task) -> Callable[[Batches], Batches]:
    """The released rows of the fragments of a partition, which come one after the other. The first row of each
    has a note: what was lost, or the failure."""
    assert task.released is not None
    schema = task.released

    def run(batches: Batches) -> Batches:
        spec = task.spec()
        division = _core.division_read(_ONE_THREAD, spec._handle, task.division)
        for place, tables in _fragments(batches):
            yield from _solved(task, division, place, _joined(tables))

    def guarded(batches: Batches) -> Batches:
        try:
            yield from run(batches)
        except Exception as error:
            row: dict[str, Any] = {name: None for name in schema.names}
            row[NOTE] = describe(error)
            yield pyarrow.RecordBatch.from_pylist([row], schema=schema)

    return guarded


def _fragments(batches: Batches) -> Iterator[tuple[int, list[pyarrow.Table]]]:
    """Each fragment with its chunks; rows are sorted by fragment."""
    at = -1
    tables: list[pyarrow.Table] = []
    for kind, place, _, data in _parts_of(batches):
        if kind == FAILURE:
            told = json.loads(bytes(data))
            raise getattr(shoal, told["class"], Error)(told["message"], column=told["column"])
        if place != at and tables:
            yield at, tables
            tables = []
        at = place
        tables.append(_from_bytes(data))
    if tables:
        yield at, tables


def _solved(task: Task, division: _core.DivisionHandle, place: int, records: pyarrow.Table) -> Batches:
    schema = task.released
    assert schema is not None
    handle, classes, whose = _core.division_solve(_ONE_THREAD, division, _load(task, records), place)
    outcome = _core.division_verify(_ONE_THREAD, division, classes)
    note = json.dumps({"ncp": outcome["ncp"], "records": outcome["records"]})
    published = pyarrow.table(shoal.Table(handle))
    rows = pyarrow.array(numpy.frombuffer(whose, numpy.uint32))
    columns = {}
    for name in schema.names:
        if name in task.as_they_are:
            columns[name] = _as_it_is(task, name, records.column(name).take(rows))
        elif name == FRAGMENT:
            columns[name] = pyarrow.array(numpy.full(len(rows), place, numpy.int32))
        elif name == NOTE:
            columns[name] = pyarrow.array([note] + [None] * (len(rows) - 1), pyarrow.string())
        elif name == PERSON:
            columns[name] = _persons(task, place, records, rows)
        elif name == OWN_K:
            columns[name] = records.column(task.own_k).take(rows).cast(pyarrow.int64())
        else:
            columns[name] = _plain(published.column(name))
    table = pyarrow.table([columns[name].cast(schema.field(name).type) for name in schema.names], schema=schema)
    yield from table.to_batches(max_chunksize=_BATCH_ROWS)


def _plain(column: Any) -> Any:
    return column.cast(column.type.value_type) if pyarrow.types.is_dictionary(column.type) else column


def _as_it_is(task: Task, name: str, column: Any) -> Any:
    """As it was; where requirements are about it, all missing values are one."""
    column = _plain(column)
    if name in task.one_missing and pyarrow.types.is_string(column.type):
        missing = compute.is_in(column, pyarrow.array(task.tokens, pyarrow.string()))
        column = compute.if_else(missing, pyarrow.scalar(None, pyarrow.string()), column)
    return column


def _persons(task: Task, place: int, records: pyarrow.Table, rows: Any) -> Any:
    """Whose each row is; a record without a person is of a person of its own."""
    column = _plain(records.column(task.person)).take(rows).cast(pyarrow.string())
    missing = compute.fill_null(compute.is_in(column, pyarrow.array(task.tokens, pyarrow.string())), True)
    missing = compute.or_(missing, compute.is_null(column))
    own = pyarrow.array([f"\x00{place}:{row}" for row in range(len(rows))], pyarrow.string())
    return compute.if_else(missing, own, column)


# --- Measuring a release that anybody made. ---------------------------------------------------


def measure(task: Task) -> Callable[[Batches], Batches]:
    """What released rows lost, by the penalties of the division."""

    def run(batches: Batches) -> Batches:
        spec = task.spec()
        division = _core.division_read(_ONE_THREAD, spec._handle, task.division)
        for table in _gathered(batches, CHUNK_RECORDS):
            published = _core.table_import(_ONE_THREAD, _pack(table).__arrow_c_stream__())
            classes = _core.classes_count(_ONE_THREAD, spec._handle, published)
            outcome = _core.division_verify(_ONE_THREAD, division, classes)
            yield _part(FIGURES, 0, table.num_rows, json.dumps({"ncp": outcome["ncp"]}).encode())

    return _guarded(run)
