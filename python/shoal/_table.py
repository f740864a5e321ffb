"""Tables: what comes in from data frames, and goes out to them."""

from __future__ import annotations

import array
import datetime
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from ._errors import FormatError, InvalidError, LimitError, UnsupportedError
from ._runtime import QUIET, calling

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow

#: Anything that is a table: a data frame of pandas, polars, pyarrow, DuckDB or Spark, whatever has
#: ``__arrow_c_stream__``, a dict of columns, or a :class:`Table` or release of ours.
TableLike = Any
#: The path of a file.
PathLike = Union[str, "os.PathLike[str]"]

#: A table has fewer records than this.
RECORDS_MAX = 2**31

# In the order of shoal_encoding.
_ENCODINGS = next((facts[3] for facts in _core.settings(False) if facts[0] == "input.encoding"), ["auto"])

_EPOCH = datetime.date(1970, 1, 1)


def is_path(data: object) -> bool:
    """Whether it names a file."""
    return isinstance(data, (str, os.PathLike))


def path_bytes(path: PathLike, what: str = "A path") -> bytes:
    """As the library takes it."""
    if not is_path(path):
        raise TypeError(f"{what} is a text or a path; got {type(path).__name__}.")
    return os.fsencode(path)


def delimiter_char(text: str) -> str:
    """A delimiter as files and the program name it: one character, or "tab"."""
    if text == "tab":
        return "\t"
    if not isinstance(text, str) or len(text) != 1:
        raise InvalidError('A delimiter is a comma, a semicolon, a vertical bar or "tab".')
    return text


def library_of(data: object) -> str:
    """The package that a data frame comes from: "pandas", "polars", ..."""
    return type(data).__module__.split(".")[0].lstrip("_")


class Exports:
    """What tables and releases have in common: ways to other libraries."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise NotImplementedError

    def to_dict(self) -> dict[str, list[Any]]:
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """As a ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> polars.DataFrame:
        """As a ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """As a ``pandas.DataFrame`` with a new index; texts that repeat are categories."""
        import pandas

        try:
            import pyarrow
        except ImportError:
            return pandas.DataFrame(self.to_dict())
        frame: pandas.DataFrame = pyarrow.table(self).to_pandas()
        return frame

    def to_duckdb(self, connection: Optional[duckdb.DuckDBPyConnection] = None) -> Any:
        """As a relation of DuckDB, on a connection or the default one."""
        import duckdb

        return (connection or duckdb).from_arrow(self.to_arrow())

    def to_kind(self, library: str) -> Any:
        """As the data frame of a library: "pandas", "polars", "pyarrow", "duckdb" or "dict"."""
        ways = {
            "pandas": self.to_pandas,
            "polars": self.to_polars,
            "pyarrow": self.to_arrow,
            "duckdb": self.to_duckdb,
            "dict": self.to_dict,
        }
        if library not in ways:
            raise InvalidError(f"A kind of data frame is one of {', '.join(ways)}; got {library!r}.")
        return ways[library]()


def values_dict(columns: Iterable[tuple[str, str, list[Any]]]) -> dict[str, list[Any]]:
    """Columns of the extension, with dates as dates."""
    result: dict[str, list[Any]] = {}
    for name, kind, values in columns:
        if kind == "date":
            one_day = datetime.timedelta(days=1)
            dates = {day: _EPOCH + day * one_day for day in set(values) if day is not None}
            values = [None if day is None else dates[day] for day in values]
        result[name] = values
    return result


class Table(Exports):
    """A table in memory, as the library holds it.

    Every call takes data frames as they are; a table made once by :func:`shoal.table` is coded
    once and may be used many times, by several threads at once.
    """

    def __init__(self, handle: _core.TableHandle, library: str = "dict", index: Any = None) -> None:
        self._handle = handle
        self._library = library
        self._index = index
        rows, columns = _core.table_facts(handle)
        self._rows = rows
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return [name for name, *_ in self._columns]

    @property
    def types(self) -> dict[str, str]:
        """The type of each column: "string", "integer", "real" or "date"."""
        return {name: kind for name, kind, *_ in self._columns}

    @property
    def missing(self) -> dict[str, int]:
        """How many records have no value, by column."""
        return {name: count for name, _, _, count in self._columns}

    @property
    def distinct(self) -> dict[str, int]:
        """How many different values there are, by column."""
        return {name: count for name, _, count, _ in self._columns}

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        return f"<shoal.Table: {self._rows} records, {len(self._columns)} columns>"

    def __reduce__(self) -> Any:
        return (table, (self.to_dict(),))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream; a requested schema is not followed, as Arrow allows."""
        return _core.table_export(QUIET, self._handle, _core.batch_rows)

    def to_dict(self) -> dict[str, list[Any]]:
        """As a dict of lists; a missing value is None."""
        return values_dict(_core.table_values(self._handle))

    def to_csv(self, path: PathLike, *, delimiter: str = ",") -> None:
        """Write it as CSV: whole or not at all."""
        with calling() as options:
            _core.table_write(options, self._handle, path_bytes(path), delimiter_char(delimiter))


# --- In. --------------------------------------------------------------------------------------


def table(
    data: TableLike,
    *,
    delimiter: str = "",
    encoding: str = "auto",
    skip_lines: int = 0,
    comment: Optional[str] = None,
    show_values: bool = False,
) -> Table:
    """A table of anything that is one, coded once for many calls.

    ``data`` is a data frame, an object with ``__arrow_c_stream__``, a dict of columns, or the path
    of a CSV file, packed by gzip or zstd or not. How files are read is told by ``delimiter``
    (detected otherwise), ``encoding``, ``skip_lines`` and ``comment``: docs/formats.md has them.

    >>> patients = shoal.table({"age": [34, 36, 51], "sex": ["F", "F", "M"]})
    >>> patients
    <shoal.Table: 3 records, 2 columns>
    """
    if isinstance(data, Table):
        return data
    if is_path(data):
        if encoding not in _ENCODINGS:
            raise InvalidError(f"An encoding is one of {', '.join(_ENCODINGS)}; got {encoding!r}.")
        with calling(show_values=show_values) as options:
            handle = _core.table_read(options, path_bytes(data), "\t" if delimiter == "tab" else delimiter,
                                      _ENCODINGS.index(encoding), skip_lines, comment)
        return Table(handle, "path")
    library = library_of(data)
    _check_rows(data)
    if library == "pandas":
        return _from_pandas(data, show_values)
    if isinstance(data, Mapping):
        return _from_columns(data, show_values)
    if not hasattr(data, "__arrow_c_stream__") and hasattr(data, "toArrow"):
        data = data.toArrow()  # Spark
    if not hasattr(data, "__arrow_c_stream__"):
        raise TypeError(_no_table(data, library))
    return Table(_import(data, show_values), library)


def _no_table(data: object, library: str) -> str:
    kind = type(data).__name__
    if library == "polars" and kind == "LazyFrame":
        return "A LazyFrame has no rows yet; hand over frame.collect()."
    if isinstance(data, Sequence) and data and isinstance(data[0], Mapping):
        return "A list of records is no table; hand over a dict of columns, or a data frame of it."
    return (
        f"{kind} is no table: it has no __arrow_c_stream__. Hand over a data frame of pandas, polars, "
        "pyarrow or DuckDB, a dict of columns, or the path of a CSV file."
    )


def _check_rows(data: Any) -> None:
    """Refuse what cannot be held before anything is copied."""
    rows = getattr(data, "num_rows", None)
    if rows is None and not isinstance(data, Mapping) and hasattr(data, "__len__"):
        rows = len(data)
    if isinstance(rows, int) and rows >= RECORDS_MAX:
        raise LimitError(
            f"A table has at most {RECORDS_MAX - 1} records; got {rows}. Cut it, or use the program "
            "with a limit of memory."
        )


def _import(data: Any, show_values: bool) -> _core.TableHandle:
    with calling(show_values=show_values) as options:
        return _core.table_import(options, data.__arrow_c_stream__())


# --- pandas. ----------------------------------------------------------------------------------


def _from_pandas(data: Any, show_values: bool) -> Table:
    """Without the index, which may be a patient number."""
    import pandas

    if not isinstance(data, pandas.DataFrame):
        raise TypeError(f"A pandas {type(data).__name__} is no table; hand over a DataFrame.")
    _check_names(list(data.columns))
    for name in data.columns:
        _check_pandas_type(name, data[name].dtype)
    data = _whole_again(data)
    try:
        import pyarrow
    except ImportError:
        columns = {name: _pandas_list(data[name]) for name in data.columns}
        handle = _from_columns(columns, show_values)._handle
    else:
        arrays = [_pandas_array(pyarrow, name, data[name]) for name in data.columns]
        frame = pyarrow.table(arrays, names=list(data.columns))
        handle = _import(frame, show_values)
    return Table(handle, "pandas", data.index)


def _check_names(names: list[Any]) -> None:
    if not names:
        raise FormatError("The data frame has no columns.")
    seen = set()
    for name in names:
        if not isinstance(name, str):
            raise TypeError(
                f"Names of columns are texts; got {type(name).__name__}. "
                "Rename them: frame.columns = [str(name) for name in frame.columns]."
            )
        if name in seen:
            raise FormatError(f'The column "{name}" is there twice; rename one of them.', column=name)
        seen.add(name)


def _check_pandas_type(name: str, dtype: Any) -> None:
    kind = getattr(dtype, "kind", "O")
    what = {"c": "complex numbers", "m": "durations", "V": "structures"}.get(kind)
    if what is None and type(dtype).__name__ in ("PeriodDtype", "IntervalDtype", "SparseDtype"):
        what = {"P": "periods", "I": "intervals", "S": "sparse values"}[type(dtype).__name__[0]]
    if what:
        raise UnsupportedError(
            f'The column "{name}" holds {what}, which no column can; make texts or numbers of them.',
            column=name,
        )


def _whole_again(data: Any) -> Any:
    """Whole numbers that became floats because a value is missing are whole numbers again."""
    for name in data.columns:
        column = data[name]
        if str(column.dtype) not in ("float64", "float32") or not column.hasnans:
            continue
        present = column.dropna()
        if len(present) and bool(((present % 1) == 0).all()) and bool((present.abs() < 2**53).all()):
            data = data.assign(**{name: column.astype("Int64")})
    return data


def _pandas_list(column: Any) -> list[Any]:
    missing = column.isna().tolist()
    return [None if gone else value for value, gone in zip(column.tolist(), missing)]


def _pandas_array(pyarrow: Any, name: str, column: Any) -> Any:
    try:
        return pyarrow.Array.from_pandas(column)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError,
            OverflowError) as error:
        kinds = sorted({type(value).__name__ for value in column.dropna().head(100_000)})
        raise FormatError(
            f'The column "{name}" holds values of several types ({", ".join(kinds)}); '
            f'make them one, such as by frame["{name}"].astype(str).',
            column=name,
        ) from (error if len(kinds) < 2 else None)


# --- Columns of Python. -----------------------------------------------------------------------


def _from_columns(data: Mapping[str, Sequence[Any]], show_values: bool) -> Table:
    names = list(data)
    _check_names(names)
    columns = []
    length: Optional[int] = None
    for name in names:
        values = data[name]
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError(f'The column "{name}" is a list of values; got {type(values).__name__}.')
        values = list(values)
        if length is not None and len(values) != length:
            raise FormatError(
                f'The column "{name}" has {len(values)} values; those before it have {length}.',
                column=name,
            )
        length = len(values)
        columns.append(_column(name, values))
    with calling(show_values=show_values) as options:
        return Table(_core.table_from_columns(options, tuple(columns)), "dict")


def _bits(present: list[bool]) -> Optional[bytes]:
    if all(present):
        return None
    result = bytearray((len(present) + 7) // 8)
    for i, is_there in enumerate(present):
        if is_there:
            result[i // 8] |= 1 << (i % 8)
    return bytes(result)


def _plain(value: Any) -> Any:
    """A number of numpy as one of Python; NaN as None."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)) and getattr(value, "ndim", 1) == 0:
        value = value.item()
    return None if isinstance(value, float) and value != value else value


def _column(name: str, values: list[Any]) -> _core.Column:
    values = [_plain(value) for value in values]
    kinds = {type(value) for value in values if value is not None}
    count = len(values)
    valid = _bits([value is not None for value in values])
    if kinds == {bool}:
        values = [None if value is None else str(value).lower() for value in values]
        kinds = {str}
    if not kinds or kinds == {str}:
        texts = [b"" if value is None else value.encode() for value in values]
        offsets = array.array("q", [0])
        for text in texts:
            offsets.append(offsets[-1] + len(text))
        return (name, "text", count, b"".join(texts), offsets.tobytes(), valid)
    if kinds == {int}:
        if any(value is not None and abs(value) >= 2**63 for value in values):
            raise LimitError(f'The column "{name}" holds whole numbers beyond 64 bits.', column=name)
        numbers = array.array("q", [value or 0 for value in values])
        return (name, "integer", count, numbers.tobytes(), None, valid)
    if kinds <= {int, float}:
        reals = array.array("d", [value or 0.0 for value in values])
        return (name, "real", count, reals.tobytes(), None, valid)
    if kinds == {datetime.date}:
        days = array.array("i", [0 if value is None else (value - _EPOCH).days for value in values])
        return (name, "date", count, days.tobytes(), None, valid)
    listed = ", ".join(sorted(kind.__name__ for kind in kinds))
    if len(kinds) > 1:
        raise FormatError(f'The column "{name}" holds values of several types: {listed}.', column=name)
    raise UnsupportedError(
        f'The column "{name}" holds values of the type {listed}; a column has texts, numbers, dates '
        "or truth values.",
        column=name,
    )


# --- Traps. -----------------------------------------------------------------------------------

_CODE_NAME = re.compile(r"(^|[^a-z])(zip|plz|postal|postcode|postleitzahl|zipcode|fips|cep|icd|naics|isco)([^a-z]|$|code)",
                        re.IGNORECASE)


def code_columns(data: Table, names: Iterable[str]) -> list[str]:
    """Columns of whole numbers that are named like codes: their leading zeros are lost."""
    types = data.types
    return [name for name in names if types.get(name) == "integer" and _CODE_NAME.search(name)]
