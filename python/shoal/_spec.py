"""Specs: what a run is asked to do, from keyword arguments or files."""

from __future__ import annotations

import datetime
import numbers
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core, _html
from ._errors import Error, InvalidError
from ._runtime import QUIET, calling
from ._table import PathLike, Table, TableLike, is_path, path_bytes, table

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._arguments import Arguments

#: One name of a column, or several.
Names = Union[str, Sequence[str]]


# --- Hierarchies. -----------------------------------------------------------------------------


class Hierarchy:
    """How the values of a column may be made coarser: what :func:`prefix` and the like give."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return f"<shoal.Hierarchy {self._text}>"

    def __str__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


#: A hierarchy as calls take it: one of the functions below, the text of a spec ("prefix:5"), the path
#: of a file, a dict of each value to its labels from fine to coarse, or a table with values in its
#: first column and labels in the further ones.
HierarchyLike = Union[Hierarchy, PathLike, Mapping[Any, Any], Any]


def _number(value: object, what: str) -> str:
    if isinstance(value, (datetime.date, str)):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{what} is a number; got {type(value).__name__}.")
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def prefix(length: Optional[int] = None, separators: Optional[str] = None) -> Hierarchy:
    """Masks from the right: 53703, 5370*, 537**, ... ``length`` levels, or as many as the longest
    value has characters. With ``separators`` values are cut at those first: C50.9, C50, C5*.

    >>> shoal.prefix(5)
    <shoal.Hierarchy prefix:5>
    >>> shoal.prefix(3, separators=".")
    <shoal.Hierarchy prefix:3@.>
    """
    text = "prefix" if length is None else f"prefix:{operator.index(length)}"
    return Hierarchy(text if separators is None else f"{text}@{separators}")


def flat() -> Hierarchy:
    """One root over all values: kept or suppressed."""
    return Hierarchy("flat")


def dates() -> Hierarchy:
    """Day, month, quarter, year, decade."""
    return Hierarchy("dates")


def codes(system: str, other: Optional[str] = None) -> Hierarchy:
    """Groups of known codes: ``"icd10"``, ``"countries"``, ``"nuts"`` or ``"isco"``. What is no such code is a
    mistake, or in the group ``other``.

    >>> shoal.codes("icd10")
    <shoal.Hierarchy icd10>
    """
    return Hierarchy(system if other is None else f"{system}:{other}")


def widths(*sizes: float, origin: Optional[float] = None) -> Hierarchy:
    """Intervals of numbers by width, each a multiple of the one before.

    >>> shoal.widths(5, 10, 20)
    <shoal.Hierarchy widths:5,10,20>
    """
    text = "widths:" + ",".join(_number(size, "A width") for size in sizes)
    return Hierarchy(text if origin is None else f"{text}@{_number(origin, 'An origin')}")


def breaks(*levels: Sequence[float]) -> Hierarchy:
    """Intervals of numbers by break points, a list for each level from fine to coarse.

    >>> shoal.breaks([18, 40, 65], [40])
    <shoal.Hierarchy breaks:18,40,65;40>
    """
    texts = []
    for level in levels:
        if isinstance(level, (int, float)):
            raise TypeError("Each level is a list of break points: shoal.breaks([18, 65], [18]).")
        texts.append(",".join(_number(at, "A break point") for at in level))
    return Hierarchy("breaks:" + ";".join(texts))


def _levels(column: str, mapping: Mapping[Any, Any]) -> Table:
    """The table of a dict: each value to its labels, or to its one label."""
    rows = []
    for value, labels in mapping.items():
        if isinstance(labels, (str, int, float)) or labels is None:
            labels = [labels]
        if not isinstance(labels, Iterable) or isinstance(labels, (bytes, Mapping)):
            raise TypeError(
                f'The hierarchy of "{column}" gives each value its labels, from fine to coarse: '
                f'{{"nurse": ["health", "*"]}}; got {type(labels).__name__} for one.'
            )
        rows.append([value, *labels])
    if not rows:
        raise InvalidError(f'The hierarchy of "{column}" is empty.', column=column)
    depth = max(len(row) for row in rows)
    if any(len(row) < 2 for row in rows):
        raise InvalidError(
            f'The hierarchy of "{column}" gives a value no label; the last of all is the root, "*".',
            column=column,
        )
    # Shorter rows lack levels in the middle: the root is the last label of all.
    rows = [row[:-1] + [None] * (depth - len(row)) + row[-1:] for row in rows]
    texts = [[None if cell is None else str(cell) for cell in row] for row in rows]
    return table({f"level {i}": [row[i] for row in texts] for i in range(depth)})


# --- Settings. --------------------------------------------------------------------------------


class Setting:
    """What can be said about a setting: its keyword, its key in a spec, what it takes."""

    def __init__(self, facts: _core.Setting) -> None:
        (self.key, self.type, self.range, self.words, self.standard, self.is_list, self.adds_up,
         self.runs, self.help) = facts

    @property
    def keyword(self) -> str:
        """The name of the keyword argument: the key with underscores, ``privacy.`` left out."""
        key = self.key[len("privacy."):] if self.key.startswith("privacy.") else self.key
        key = key[:-len(".action")] if key.endswith(".action") else key
        return key.replace(".", "_")

    def __repr__(self) -> str:
        return f"<shoal.Setting {self.keyword}: {self.key}, {self.type}>"


def settings() -> list[Setting]:
    """All settings there are, as keyword arguments and as keys of a spec."""
    return [Setting(facts) for facts in _core.settings(False)]


_BY_KEYWORD = {setting.keyword: setting for setting in settings()}
_COLUMN_SETTINGS = {facts[0]: Setting(facts) for facts in _core.settings(True)}
#: Keyword arguments of columns, by their setting: a dict of names to values each.
_OF_COLUMNS = {
    {"hierarchy": "hierarchies", "type": "types", "weight": "weights", "grid": "grids", "decimal": "decimals",
     "date_format": "date_formats"}.get(key, key): key
    for key in _COLUMN_SETTINGS
    if key != "role"
}
_ROLES = _COLUMN_SETTINGS["role"].words


class Method:
    """A method of anonymizing: what it is, and which shape its releases have."""

    def __init__(self, name: str, summary: str, shape: str, cost: str, citation: str) -> None:
        self.name = name
        self.summary = summary
        self.shape = shape
        self.cost = cost
        self.citation = citation

    def __repr__(self) -> str:
        return f"<shoal.Method {self.name}: {self.summary}>"


def methods() -> list[Method]:
    """The methods there are."""
    return [Method(*facts) for facts in _core.methods()]


def keywords_of(run: Optional[str] = None) -> list[str]:
    """The keyword arguments that a run uses; without a run, all there are."""
    found = [*_ROLES, *_OF_COLUMNS]
    return found + [name for name, s in _BY_KEYWORD.items() if run is None or run in s.runs.split()]


def axes() -> list[str]:
    """The figures that a frontier can have as an axis."""
    return _BY_KEYWORD["frontier_axes"].words


def _whole(setting: Setting, value: object) -> str:
    try:
        if isinstance(value, bool):
            raise TypeError
        return str(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(
            f"{setting.keyword} is a whole number; got {type(value).__name__}."
        ) from None


def _text(setting: Setting, value: object) -> str:
    """One value as the library takes it."""
    if setting.type == "whole number":
        return _whole(setting, value)
    if setting.type == "number":
        if isinstance(value, str):
            raise TypeError(f"{setting.keyword} is a number; got str.")
        return _number(value, setting.keyword)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds()!r}s"
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Real):
        text = _number(value, setting.keyword)
        return text + "s" if setting.type == "time" else text
    if isinstance(value, tuple):  # ("distinct", 3) for "distinct:3"
        return ":".join(_text(setting, part) for part in value)
    raise TypeError(f"{setting.keyword} is {setting.range or 'one of its words'}; "
                    f"got {type(value).__name__}.")


def _texts(setting: Setting, value: object) -> list[str]:
    """What to set, one after another."""
    if isinstance(value, Mapping) and setting.key == "frontier.sweep":
        return [f"{name}=" + ",".join(_text(setting, item) for item in items)
                for name, items in value.items()]
    if isinstance(value, Mapping) and setting.adds_up:
        return [f"{name}={text}" for name, item in value.items() for text in _texts(setting, item)]
    if setting.adds_up and isinstance(value, list):
        return [_text(setting, item) for item in value]
    if setting.is_list and isinstance(value, (list, tuple, set, frozenset)):
        items = [_text(setting, item) for item in value]
        for item in items:
            if "," in item:
                raise InvalidError(f"{setting.keyword}: an item holds a comma; say it in a spec file.")
        return [",".join(items)]
    return [_text(setting, value)]


def _names(role: str, value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, (bytes, Mapping)):
        raise TypeError(f"{role} is the name of a column or a list of names; "
                        f"got {type(value).__name__}.")
    names = list(value)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{role}: the name of a column is a text; got {type(name).__name__}.")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidError(f'{role} names the column "{twice}" twice.', column=twice)
    return names


# --- The spec. --------------------------------------------------------------------------------


class Spec:
    """What a run is asked to do: columns, privacy, method, output. A spec never changes.

    Keyword arguments are those of :func:`shoal.anonymize`; every setting of a spec file is one,
    see :func:`shoal.settings`.

    >>> spec = shoal.Spec(k=3, quasi=["age", "sex"], sensitive="diagnosis")
    >>> spec.get("k")
    '3'
    >>> spec.columns
    {'age': 'quasi', 'sex': 'quasi', 'diagnosis': 'sensitive'}
    """

    _handle: _core.SpecHandle

    def __init__(self, **arguments: Unpack[Arguments]) -> None:
        self._handle = _core.spec_new(QUIET)
        self._set(arguments)

    @classmethod
    def read(cls, path: PathLike) -> Self:
        """Read a YAML file, whose paths are relative to it. All its mistakes are told at once."""
        spec = cls()
        with calling() as options:
            _core.spec_read(options, spec._handle, path_bytes(path))
        return spec

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read YAML from a text; paths in it are relative to the current folder."""
        if not isinstance(text, str):
            raise TypeError(f"YAML is a text; got {type(text).__name__}.")
        spec = cls()
        with calling() as options:
            _core.spec_read_text(options, spec._handle, text, b"spec")
        return spec

    def to_yaml(self) -> str:
        """The spec as YAML, which reads back to an equal one."""
        with calling() as options:
            return _core.spec_yaml(options, self._handle)

    def write(self, path: PathLike) -> None:
        """Write it as a YAML file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_yaml())

    def replace(self, **arguments: Unpack[Arguments]) -> Self:
        """A copy with other settings."""
        copy = type(self).__new__(type(self))
        copy._handle = _core.spec_copy(QUIET, self._handle)
        copy._set(arguments)
        return copy

    def get(self, setting: str) -> Union[str, list[str], None]:
        """The value of a setting, by keyword or key, as a text; a list where values add up."""
        found = _BY_KEYWORD.get(setting)
        key = found.key if found else setting
        if found is None:
            found = next((s for s in _BY_KEYWORD.values() if s.key == key), None)
        if found is not None and found.adds_up:
            values: list[str] = []
            while True:
                value = _core.spec_get(QUIET, self._handle, key, len(values))
                if value is None:
                    return values
                values.append(value)
        with calling() as options:
            return _core.spec_get(options, self._handle, key, 0)

    @property
    def columns(self) -> dict[str, Optional[str]]:
        """The columns that it speaks of, and their roles."""
        return {
            name: _core.spec_get_column(QUIET, self._handle, name, "role")
            for name in _core.spec_columns(self._handle)
        }

    def with_role(self, *roles: str) -> list[str]:
        """The names of the columns with one of these roles."""
        return [name for name, role in self.columns.items() if role in roles]

    def has_formats(self) -> bool:
        """Whether it says how numbers or dates of files are written."""
        for key in ("decimal", "thousands", "date_format"):
            standard = _BY_KEYWORD[f"input_{key}"].standard
            said = [self.get(f"input_{key}")]
            said += [_core.spec_get_column(QUIET, self._handle, name, key)
                     for name in _core.spec_columns(self._handle)]
            if any(value not in (None, standard) for value in said):
                return True
        return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return self.to_yaml() == other.to_yaml()

    def __hash__(self) -> int:
        return hash(self.to_yaml())

    def __reduce__(self) -> Any:
        return (_from_yaml, (type(self), self.to_yaml()))

    def __repr__(self) -> str:
        said = [f"{name}={role}" for name, role in self.columns.items() if role]
        k = self.get("k")
        return f"<shoal.Spec: {', '.join([f'k={k}'] * (k is not None) + said)}>"

    def _repr_html_(self) -> str:
        try:
            return _html.spec(self.to_yaml())
        except Error as error:
            return _html.spec(str(error))

    # Keyword arguments, one after another.
    def _set(self, arguments: Mapping[str, Any]) -> None:
        with calling() as options:
            for name, value in arguments.items():
                if value is None:
                    continue
                if name in _ROLES:
                    for column in _names(name, value):
                        _core.spec_set_column(options, self._handle, column, "role", name)
                elif name in _OF_COLUMNS:
                    self._set_columns(options, name, value)
                elif name == "population" and not is_path(value):
                    _core.spec_set_population(options, self._handle, table(value)._handle)
                else:
                    self._set_one(options, name, value)

    def _set_one(self, options: _core.Options, name: str, value: object) -> None:
        setting = _BY_KEYWORD.get(name)
        if setting is None:
            known = [*_BY_KEYWORD, *_ROLES, *_OF_COLUMNS]
            near = _nearest(name, known)
            raise TypeError(f"There is no argument {name!r}" + (f"; did you mean {near!r}?" if near else "."))
        for text in _texts(setting, value):
            _core.spec_set(options, self._handle, setting.key, text)

    def _set_columns(self, options: _core.Options, name: str, value: object) -> None:
        key = _OF_COLUMNS[name]
        if not isinstance(value, Mapping):
            raise TypeError(f'{name} is a dict of names of columns: {name}={{"age": ...}}; '
                            f"got {type(value).__name__}.")
        for column, said in value.items():
            if not isinstance(column, str):
                raise TypeError(f"{name}: the name of a column is a text; got {type(column).__name__}.")
            if key == "hierarchy" and isinstance(said, Mapping):
                _core.spec_set_hierarchy(options, self._handle, column, _levels(column, said)._handle)
            elif key == "hierarchy" and not isinstance(said, (Hierarchy, str, os.PathLike)):
                if said is None or isinstance(said, (int, float, list, tuple)):
                    raise TypeError(
                        f'The hierarchy of "{column}" is one of shoal.prefix() and the like, a path, a '
                        f"dict or a table; got {type(said).__name__}."
                    )
                _core.spec_set_hierarchy(options, self._handle, column, table(said)._handle)
            elif key == "same" and isinstance(said, (list, tuple, set, frozenset)):
                words = ",".join(_text(_COLUMN_SETTINGS[key], word) for word in said)
                _core.spec_set_column(options, self._handle, column, key, words)
            else:
                text = (str(said) if isinstance(said, Hierarchy)
                        else _text(_COLUMN_SETTINGS[key], said))
                _core.spec_set_column(options, self._handle, column, key, text)


def _from_yaml(kind: type[Spec], text: str) -> Spec:
    return kind.from_yaml(text)


def _nearest(name: str, known: Iterable[str]) -> Optional[str]:
    import difflib

    return next(iter(difflib.get_close_matches(name, known, 1)), None)


def make_spec(spec: Union[Spec, PathLike, None], arguments: Mapping[str, Any]) -> Spec:
    """The spec of a call: a given one, with keyword arguments on top."""
    if spec is None:
        return Spec(**arguments)
    if is_path(spec):
        spec = Spec.read(spec)  # type: ignore[arg-type]
    if not isinstance(spec, Spec):
        raise TypeError(f"spec is a shoal.Spec or the path of a YAML file; got {type(spec).__name__}.")
    return spec.replace(**arguments)


__all__ = ["Hierarchy", "HierarchyLike", "Method", "Names", "Setting", "Spec", "TableLike", "axes", "breaks", "codes",
           "dates", "flat", "keywords_of", "make_spec", "methods", "prefix", "settings", "widths"]
