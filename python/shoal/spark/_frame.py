"""What a Spark DataFrame has, and what of it is sent to executors' workers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from .._errors import FormatError, NotFoundError, UnsupportedError
from .._spec import Spec
from .._table import _CODE_NAME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# By the names that Spark's types give of themselves.
_PLAIN = re.compile(r"(string|char\(\d+\)|varchar\(\d+\)|tinyint|smallint|int|bigint|float|double|decimal\(\d+,\d+\)|"
                    r"date|timestamp|timestamp_ntz|boolean)( collate .*)?$")
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NESTED = {"array": "lists", "map": "maps", "struct": "structures", "variant": "variants", "binary": "bytes",
           "interval": "durations", "void": "nothing"}


def check_frame(data: Any) -> None:
    """Refuse what is no DataFrame of Spark."""
    kind = f"{type(data).__module__}.{type(data).__name__}"
    if not kind.startswith("pyspark.sql.") or not hasattr(data, "mapInArrow"):
        raise TypeError(f"shoal.spark takes DataFrames of Spark; got {type(data).__name__}. For others there is "
                        f"{'shoal.anonymize' if 'pyspark' not in kind else 'spark.createDataFrame'}.")
    if getattr(data, "isStreaming", False):
        raise UnsupportedError("A stream has no end, so nothing can be promised about all of its records; write it "
                               "to a table first.")


@dataclass(frozen=True)
class Columns:
    """The columns of a frame, by what becomes of them."""

    sent: tuple[str, ...]      # in the order of the frame
    absent: tuple[str, ...]    # that the spec speaks of and nobody looks at
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    as_they_are: tuple[str, ...]  # released so, sensitive ones included
    left_out: tuple[str, ...]
    person: Optional[str]
    own_k: Optional[str]
    types: dict[str, str]

    def codes_as_numbers(self) -> list[str]:
        """Columns of whole numbers that are named like codes: their leading zeros are lost."""
        return [name for name in (*self.quasi, *self.as_they_are)
                if self.types[name] in _WHOLE and _CODE_NAME.search(name)]


def find_columns(frame: DataFrame, spec: Spec) -> Columns:
    """Which columns are needed; those that cannot be read are refused by name, before a job starts."""
    roles = spec.columns
    types = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    names = [field.name for field in frame.schema.fields]
    _check_names(names)
    own_k = spec.get("k_column")
    own_k = own_k if isinstance(own_k, str) else None
    wanted = [name for name, role in roles.items() if role] + ([own_k] if own_k else [])
    for name in wanted:
        if name not in types:
            raise NotFoundError(f'There is no column "{name}"; the DataFrame has {", ".join(names)}.', column=name)

    def with_role(role: str) -> tuple[str, ...]:
        return tuple(name for name in names if roles.get(name) == role)

    free = [name for name in names if not roles.get(name)]
    kept = [name for name in free if spec.get("rest") == "release"]
    person = next(iter(with_role("person")), None)
    as_they_are = [name for name in names if roles.get(name) in ("sensitive", "insensitive") or name in kept]
    quasi = with_role("quasi")
    sent = tuple(name for name in names if name in quasi or name in as_they_are or name in (person, own_k))
    for name in sent:
        _check_type(name, types[name])
    return Columns(sent=sent, absent=tuple(name for name in wanted if name not in sent), quasi=quasi,
                   sensitive=with_role("sensitive"), as_they_are=tuple(as_they_are),
                   left_out=tuple(name for name in names if name not in quasi and name not in as_they_are),
                   person=person, own_k=own_k, types=types)


def _check_names(names: list[str]) -> None:
    if not names:
        raise FormatError("The DataFrame has no columns.")
    for name in names:
        if names.count(name) > 1:
            raise FormatError(f'The column "{name}" is there twice; rename one of them.', column=name)
        if name.lower().startswith("shoal_"):
            raise FormatError(f'The column "{name}" has a name that is kept for what stands beside released rows '
                              "until they are verified; rename it.", column=name)


def is_plain(kind: str) -> bool:
    """Whether a column of this type holds texts, numbers, dates or truth values."""
    return _PLAIN.match(kind) is not None


def _check_type(name: str, kind: str) -> None:
    if is_plain(kind):
        return
    what = _NESTED.get(re.split(r"[<( ]", kind)[0], f"values of the type {kind}")
    raise UnsupportedError(f'The column "{name}" holds {what}, which no column can; make columns, texts or numbers '
                           f'of them: df.withColumn("{name}", ...).', column=name)


def pick(frame: DataFrame, names: tuple[str, ...]) -> DataFrame:
    """Columns by their very names, which may hold dots."""
    return frame.select(*(frame["`" + name.replace("`", "``") + "`"] for name in names))


def quoted(name: str) -> str:
    """A name as SQL takes it."""
    return "`" + name.replace("`", "``") + "`"
