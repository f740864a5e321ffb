"""A release: what is handed out, and what only its maker may see."""

from __future__ import annotations

import array
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from . import _core, _html
from ._errors import InvalidError
from ._report import Notice, Report, Verdict
from ._runtime import QUIET, calling
from ._table import Exports, PathLike, Table, delimiter_char, path_bytes, values_dict

if TYPE_CHECKING:
    from ._spec import Spec


@dataclass(frozen=True)
class Shown:
    """What a class shows of a quasi column: the text and, of numbers and dates without hierarchy, the
    least and the greatest value (dates as days since 1970-01-01)."""

    text: Optional[str]
    least: Optional[float]
    greatest: Optional[float]


class Release(Exports):
    """A release that was verified column by column before anybody got it.

    It has ``__arrow_c_stream__``, so ``pa.table(release)``, ``pl.DataFrame(release)`` and
    ``duckdb.sql("from release")`` work; :meth:`to_pandas` and the like do the same, and
    :attr:`frame` is a data frame of the kind that came in. Rows are in an order that tells
    nothing of that of the input, and no index is kept.

    :attr:`class_of`, :attr:`record_risk` and :attr:`record_of` are for whoever made the release:
    do not hand them out with it.
    """

    def __init__(
        self,
        handle: _core.ReleaseHandle,
        report: Optional[Report] = None,
        spec: Optional[Spec] = None,
        original: Optional[Table] = None,
    ) -> None:
        self._handle = handle
        self._report = report
        self._spec = spec
        self._library = original._library if original is not None else "dict"
        self._index = original._index if original is not None else None
        (self._shape, self._rows, self._records, self._classes, self._columns,
         self._quasi) = _core.release_facts(handle)

    # --- What is handed out.

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows as an Arrow stream; a requested schema is not followed, as Arrow allows."""
        return _core.release_export(QUIET, self._handle, False)

    def to_dict(self) -> dict[str, list[Any]]:
        """The rows as a dict of lists; a missing value is None."""
        return values_dict(_core.release_values(self._handle, False))

    @property
    def frame(self) -> Any:
        """The rows as a data frame of the kind that came in."""
        return self.to_kind(self._library if self._library != "path" else "dict")

    @property
    def sensitive(self) -> Optional[Sensitive]:
        """Of a release by buckets, the second table: bucket, column, value, count."""
        return Sensitive(self._handle, self._library) if self._shape == "buckets" else None

    def to_csv(
        self, path: PathLike, *, sensitive_path: Optional[PathLike] = None, delimiter: str = ","
    ) -> None:
        """Write the rows as CSV; of buckets the second table, too. The file is read back and compared
        before it gets its name."""
        with calling() as options:
            _core.release_write(
                options, self._handle, path_bytes(path),
                None if sensitive_path is None else path_bytes(sensitive_path), delimiter_char(delimiter),
            )

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def shape(self) -> str:
        """"classes", "records" (a box for each) or "buckets"."""
        return self._shape

    def __len__(self) -> int:
        return self._rows

    # --- What was found.

    @property
    def report(self) -> Report:
        """What the run found."""
        if self._report is None:
            raise InvalidError("The release was not made here, so there is no report of it.")
        return self._report

    @property
    def spec(self) -> Spec:
        """What the run was asked for."""
        if self._spec is None:
            raise InvalidError("The release was not made here, so there is no spec of it.")
        return self._spec

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What was asked for, requirement by requirement."""
        return self.report.verdicts

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """What speaks against the release though the run went well."""
        return self.report.warnings

    @property
    def gcp(self) -> float:
        """The share of information lost, from 0 to 1."""
        return self.report.gcp if self._report is not None else math.nan

    # --- For whoever made it.

    @property
    def class_count(self) -> int:
        """How many classes; of buckets: how many buckets."""
        return self._classes

    @property
    def class_sizes(self) -> Any:
        """How many records each class has."""
        return self._numbers("size", "q", of_records=False)

    @property
    def class_of(self) -> Any:
        """The class of each record of the original, from 0; -1 when it was left out. For a pandas
        frame a Series with its index. Not to be handed out."""
        return self._numbers("class_of", "q", of_records=True)

    @property
    def record_risk(self) -> Any:
        """How likely somebody who knows a record's quasi-identifier picks it out. As
        :attr:`class_of`."""
        return self._numbers("risk", "d", of_records=True)

    @property
    def record_of(self) -> Any:
        """The record of the original, from 0, that each row stands for. Not to be handed out."""
        return self._numbers("record", "q", of_records=False)

    def describe_class(self, number: int) -> Mapping[str, Shown]:
        """What a class shows, by quasi column."""
        return {
            name: Shown(*shown)
            for name, shown in zip(self._quasi, _core.release_class(self._handle, number))
        }

    def _numbers(self, what: str, code: str, of_records: bool) -> Any:
        numbers = array.array(code, _core.release_numbers(self._handle, what))
        if self._library == "pandas":
            import pandas

            index = self._index if of_records else None
            name = {"risk": "record_risk", "size": "class_size", "record": "record"}.get(what, what)
            return pandas.Series(numbers, index=index, name=name,
                                 dtype="int64" if code == "q" else "float64")
        if self._library == "polars":
            import polars

            dtype = polars.Int64 if code == "q" else polars.Float64
            return polars.Series(what, numbers, dtype=dtype)
        if self._library in ("pyarrow", "duckdb"):
            import pyarrow

            kind = pyarrow.int64() if code == "q" else pyarrow.float64()
            return pyarrow.array(numbers, type=kind)
        return numbers

    def __repr__(self) -> str:
        loss = "" if self._report is None else f", GCP {100 * self.gcp:.2f} %"
        warned = f", {len(self.warnings)} warnings" if self._report and self.warnings else ""
        return f"<shoal.Release: {self._rows} rows, {self._classes} {self._what()}{loss}{warned}>"

    def _what(self) -> str:
        return {"records": "boxes", "buckets": "buckets"}.get(self._shape, "classes")

    def _repr_html_(self) -> str:
        facts: list[list[object]] = [["rows", self._rows], [self._what(), self._classes],
                                     ["columns", ", ".join(self._columns)]]
        parts: list[str] = []
        if self._report is not None:
            facts.append(["loss (GCP)", f"{100 * self.gcp:.2f} %"])
            parts = [_html.verdict(verdict.asked, verdict.holds) for verdict in self.verdicts]
            parts += [_html.warning(notice.message) for notice in self.warnings]
        return _html.box("Release", _html.table(facts), *parts)

    def __reduce__(self) -> Any:
        raise TypeError("A release is not pickled; send release.to_arrow() or release.report instead.")


class Sensitive(Exports):
    """The second table of a release by buckets."""

    def __init__(self, handle: _core.ReleaseHandle, library: str) -> None:
        self._handle = handle
        self._library = library

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream."""
        return _core.release_export(QUIET, self._handle, True)

    def to_dict(self) -> dict[str, list[Any]]:
        """As a dict of lists."""
        return values_dict(_core.release_values(self._handle, True))

    @property
    def frame(self) -> Any:
        """As a data frame of the kind that came in."""
        return self.to_kind(self._library if self._library != "path" else "dict")


def as_release(data: Any, sensitive: Any = None, show_values: bool = False) -> Release:
    """A release of ours, or one from tables that anybody made."""
    from ._table import table

    if isinstance(data, Release):
        return data
    rows = table(data, show_values=show_values)
    second = None if sensitive is None else table(sensitive, show_values=show_values)
    handle = _core.release_from_tables(QUIET, rows._handle, second._handle if second else None)
    return Release(handle, original=rows)
