"""Writing a release: to a staging place, read back and compared, then renamed. Whole, or not at all."""

from __future__ import annotations

import os
import uuid
from typing import TYPE_CHECKING, Any, Optional, Union

from .._errors import FileError, InvalidError, RejectedError, UnsupportedError
from ._cluster import translating
from ._divide import Limits
from ._frame import quoted
from ._release import SparkRelease

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FORMATS = ("parquet", "orc", "csv", "json", "table")
_ENDINGS = {".parquet": "parquet", ".orc": "orc", ".csv": "csv", ".json": "json"}


def format_of(place: str, said: Optional[str]) -> str:
    """The format of a place: as somebody says, by its ending, or parquet."""
    if said is not None and said not in FORMATS:
        raise InvalidError(f"A format is one of {', '.join(FORMATS)}; got {said!r}.")
    return said or _ENDINGS.get(os.path.splitext(place.rstrip("/"))[1], "parquet")


def write(
    release: SparkRelease,
    place: str,
    *,
    format: Optional[str] = None,
    overwrite: bool = False,
) -> None:
    """Write a release to a folder (parquet, orc, csv or json, by ``format`` or the ending of its name) or, with
    ``format="table"``, to a table of Spark's catalog.

    The rows are written beside the place, read back and compared with those that were verified, and renamed then. A
    folder or table that is there already is left alone, unless ``overwrite``; then it is put aside until the new one
    has its name. Where it fails, or you stop it, what was written is deleted, and what was there is there again. On
    object stores without renaming (S3) a rename copies; a table format does better there.
    """
    kind = format_of(place, format)
    frame = release.df
    session = frame.sparkSession
    with translating(Limits.fragment_records):
        target: Union[_Table, _Folder] = _Table(session, place) if kind == "table" else _Folder(session, place, kind)
        target.check(overwrite)
        try:
            target.write(frame)
            _compare(_as_written(frame, kind), target.read(frame))
            target.rename(overwrite)
        except BaseException:
            target.drop()
            raise


def _as_written(frame: DataFrame, kind: str) -> DataFrame:
    """Text formats hold texts."""
    if kind not in ("csv", "json"):
        return frame
    return frame.select(*(frame[quoted(name)].cast("string").alias(name) for name in frame.columns))


def _compare(verified: DataFrame, written: DataFrame) -> None:
    """What was written is what was verified: as many rows, and the same sum over all of them."""
    if _sum(verified) != _sum(written):
        raise RejectedError("What was read back from the staging place is not what was verified; nothing was published.")


def _sum(frame: DataFrame) -> tuple[int, Any]:
    from pyspark.sql import functions as f

    cells = [f.coalesce(frame[quoted(name)].cast("string"), f.lit("\x00")) for name in frame.columns]
    row = frame.agg(f.count(f.lit(1)), f.sum(f.xxhash64(*cells).cast("decimal(38,0)"))).collect()[0]
    return row[0], row[1]


class _Target:
    """Where a release goes: written beside its place, and renamed."""

    _place: str
    _staging: str

    def _exists(self, place: str) -> bool:
        raise NotImplementedError

    def _move(self, source: str, target: str) -> None:
        raise NotImplementedError

    def _delete(self, place: str) -> None:
        raise NotImplementedError

    def check(self, overwrite: bool) -> None:
        if not overwrite and self._exists(self._place):
            raise FileError(f"{self._place} is there already; give another place, or overwrite it.")

    def rename(self, overwrite: bool) -> None:
        """What is there is put aside until the new one has its name."""
        old = f"{self._staging}_old"
        replaced = overwrite and self._exists(self._place)
        if replaced:
            self._move(self._place, old)
        try:
            self._move(self._staging, self._place)
        except BaseException:
            if replaced:
                self._move(old, self._place)
            raise
        if replaced:
            self._delete(old)

    def drop(self) -> None:
        self._delete(self._staging)


class _Folder(_Target):
    """A folder of files on any file system that Spark can reach."""

    def __init__(self, session: SparkSession, place: str, kind: str) -> None:
        java = getattr(session, "_jvm", None)
        if java is None:
            raise UnsupportedError("Over Spark Connect nothing can be renamed; write release.df yourself, to a table or by "
                                   "release.df.write.parquet(path): Spark's own committer writes it whole.")
        self._session = session
        self._kind = kind
        self._place = place.rstrip("/")
        self._staging = f"{self._place}.shoal-{uuid.uuid4().hex[:12]}"
        self._java = java

    def _path(self, place: str) -> Any:
        return self._java.org.apache.hadoop.fs.Path(place)

    def _system(self) -> Any:
        configuration = self._session._jsc.hadoopConfiguration()  # type: ignore[attr-defined,unused-ignore]
        return self._path(self._place).getFileSystem(configuration)

    def write(self, frame: DataFrame) -> None:
        writer = _as_written(frame, self._kind).write.format(self._kind)
        if self._kind == "csv":
            writer = writer.option("header", True).option("escape", '"')
        writer.save(self._staging)

    def read(self, frame: DataFrame) -> DataFrame:
        reader = self._session.read.format(self._kind)
        if self._kind in ("csv", "json"):
            reader = reader.schema(", ".join(f"{quoted(name)} string" for name in frame.columns))
        if self._kind == "csv":
            reader = reader.option("header", True).option("escape", '"')
        return reader.load(self._staging)

    def _exists(self, place: str) -> bool:
        return bool(self._system().exists(self._path(place)))

    def _move(self, source: str, target: str) -> None:
        if not self._system().rename(self._path(source), self._path(target)):
            raise FileError(f"{source} could not be renamed to {target}.")

    def _delete(self, place: str) -> None:
        self._system().delete(self._path(place), True)


class _Table(_Target):
    """A table of the catalog."""

    def __init__(self, session: SparkSession, place: str) -> None:
        self._session = session
        self._place = place
        before, _, name = place.rpartition(".")
        self._staging = f"{before}.{name}_shoal_{uuid.uuid4().hex[:12]}".lstrip(".")

    def write(self, frame: DataFrame) -> None:
        frame.write.saveAsTable(self._staging)

    def read(self, frame: DataFrame) -> DataFrame:
        return self._session.table(self._staging)

    def _exists(self, place: str) -> bool:
        return bool(self._session.catalog.tableExists(place))

    def _move(self, source: str, target: str) -> None:
        self._session.sql(f"alter table {source} rename to {target}")

    def _delete(self, place: str) -> None:
        self._session.sql(f"drop table if exists {place}")
