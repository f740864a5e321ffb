"""Shoal anonymizes tables of records about people: any data frame in, a verified release out.

>>> people = shoal.generate("census", 1000)
>>> release = shoal.anonymize(people, k=10, quasi=["age", "zip", "sex"], sensitive="income",
...                           hierarchies={"zip": shoal.prefix(5)}, method="mondrian")
>>> release.report.holds
True
>>> frame = release.to_dict()      # or to_pandas(), to_polars(), to_arrow()

:func:`anonymize` makes a release, :func:`refine` a better one; :func:`verify`, :func:`measure`,
:func:`risk`, :func:`attack`, :func:`inspect` and :func:`frontier` tell about tables and releases; :func:`query` asks
a release as its readers would. Everything that goes wrong is a :class:`shoal.Error`.
"""

from __future__ import annotations

import atexit as _atexit

from . import _core

# Of this part; the extension says its own. A test holds it against include/shoal/api.h.
_VERSION = "0.1.0"
if _core.version != _VERSION:
    raise ImportError(
        f"shoal is {_VERSION}, but its extension is {_core.version}: they were installed apart; "
        "install the wheel again."
    )

from ._calls import (
    Session,
    anonymize,
    attack,
    frontier,
    generate,
    inspect,
    measure,
    query,
    refine,
    risk,
    verify,
)
from ._errors import (
    BusyError,
    CancelledError,
    Error,
    FileError,
    FormatError,
    InvalidError,
    LimitError,
    MissingFileError,
    NotFoundError,
    OutOfMemoryError,
    PrivacyWarning,
    RejectedError,
    UnsatisfiableError,
    UnsupportedError,
    WarnedError,
)
from ._release import Release, Sensitive, Shown
from ._report import Answer, Attack, Frontier, Inspection, Notice, Picture, Point, Report, Verdict
from ._spec import (
    Hierarchy,
    Method,
    Setting,
    Spec,
    breaks,
    codes,
    dates,
    flat,
    methods,
    prefix,
    settings,
    widths,
)
from ._table import Table, table

__version__: str = _VERSION

__all__ = [
    "Answer", "Attack", "BusyError", "CancelledError", "Error", "FileError", "FormatError", "Frontier",
    "Hierarchy", "Inspection", "InvalidError", "LimitError", "Method", "MissingFileError",
    "NotFoundError", "Notice", "OutOfMemoryError", "Picture", "Point", "PrivacyWarning",
    "RejectedError", "Release", "Report", "Sensitive", "Session", "Setting", "Shown", "Spec",
    "Table", "UnsatisfiableError", "UnsupportedError", "Verdict", "WarnedError", "anonymize", "attack", "breaks", "codes",
    "dates", "flat", "frontier", "generate", "inspect", "measure", "methods", "prefix", "query", "refine",
    "risk", "settings", "table", "verify", "widths",
]

# Calls in daemon threads would go on while the interpreter ends.
_atexit.register(_core.stop_calls)
