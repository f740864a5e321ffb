"""What can go wrong: an exception class for each status of the library, and warnings."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Optional


class Error(Exception):
    """Base of everything that Shoal raises by itself.

    ``str(error)`` is one sentence: what was expected, what came, what to do. It never holds the
    content of a cell, unless ``show_values=True`` was asked for.
    """

    #: The status in words, such as ``"invalid"``.
    status: str = "error"

    def __init__(
        self,
        message: str,
        *,
        record: Optional[int] = None,
        column: Optional[str] = None,
        field: Optional[int] = None,
        source: Optional[str] = None,
        line: Optional[int] = None,
        position: Optional[int] = None,
        mistakes: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        #: The sentence.
        self.message = message
        #: The record of the table at fault, from 0; None when not known.
        self.record = record
        #: The name of the column at fault.
        self.column = column
        #: Its number, from 0.
        self.field = field
        #: The file, or the setting, at fault.
        self.source = source
        #: The line of the file, from 1.
        self.line = line
        #: The byte within that line, from 1.
        self.position = position
        #: Where several mistakes were made at once: all of them.
        self.mistakes = mistakes

    def __str__(self) -> str:
        where = ""
        if self.source and self.line:
            where = f"{self.source}:{self.line}: "
        elif self.source and self.source not in self.message and ("/" in self.source or "." in self.source):
            where = f"{self.source}: "
        elif self.record is not None and self.column is not None:
            where = f"record {self.record}, column {self.column}: "
        elif self.record is not None:
            where = f"record {self.record}: "
        others = [line for line in self.mistakes if line != self.message]
        return where + self.message + "".join(f"\n- {line}" for line in others)

    def __reduce__(self) -> Any:
        return (_rebuild, (type(self), self.message, self.__dict__.copy()))


def _rebuild(kind: type[Error], message: str, state: dict[str, Any]) -> Error:
    error = kind(message)
    error.__dict__.update(state)
    return error


class InvalidError(Error, ValueError):
    """An argument or a setting makes no sense."""

    status = "invalid"


class FormatError(Error, ValueError):
    """The data are not what they should be; ``record`` and ``column`` tell where."""

    status = "bad format"


class NotFoundError(Error, LookupError):
    """A column or a value that was named does not exist."""

    status = "not found"


class MissingFileError(NotFoundError, FileNotFoundError):
    """A file that was named does not exist."""


class UnsatisfiableError(Error, ValueError):
    """No release can meet the requirements."""

    status = "unsatisfiable"


class LimitError(Error, ValueError):
    """Larger than a documented limit."""

    status = "limit exceeded"


class OutOfMemoryError(Error, MemoryError):
    """There was not enough memory."""

    status = "out of memory"


class FileError(Error, OSError):
    """The operating system refused to read or write, or the stream of another library failed."""

    status = "I/O error"


class CancelledError(Error):
    """The progress callback answered False, or the interpreter is ending."""

    status = "cancelled"


class UnsupportedError(Error, NotImplementedError):
    """A type of column, or a combination, that Shoal cannot work with."""

    status = "unsupported"


class RejectedError(Error):
    """The verifier did not accept what was about to be handed out."""

    status = "rejected"


class BusyError(Error, RuntimeError):
    """Another thread is using the same context."""

    status = "busy"


class WarnedError(Error):
    """Nothing was published: ``strict=True``, and there are warnings that nobody accepted."""

    status = "warned"


#: By the numbers of include/shoal/ctx.h; 0 is success.
CLASSES: tuple[type[Error], ...] = (
    Error,
    InvalidError,
    FormatError,
    NotFoundError,
    UnsatisfiableError,
    LimitError,
    OutOfMemoryError,
    FileError,
    CancelledError,
    UnsupportedError,
    RejectedError,
    BusyError,
    WarnedError,
)


def failure(
    status: int,
    message: str,
    record: int,
    field: int,
    line: int,
    position: int,
    source: str,
    name: Optional[str],
) -> Error:
    """The exception of a failure; called by the extension."""
    kind = CLASSES[status] if status < len(CLASSES) else Error
    if kind is NotFoundError and message.startswith(("No such file", "Cannot open", "Cannot read")):
        kind = MissingFileError
    return kind(
        message,
        record=record if record >= 0 else None,
        column=name,
        field=field if field >= 0 else None,
        source=source or None,
        line=line or None,
        position=position or None,
    )


class PrivacyWarning(UserWarning):
    """Something speaks against a release though the run went well.

    ``code`` never changes ("near-unique-column"), ``column`` is what it is about or None.
    """

    def __init__(self, message: str, code: str = "", column: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
        self.column = column

    def __reduce__(self) -> Any:
        return (type(self), (str(self), self.code, self.column))


def warn(warning: PrivacyWarning) -> None:
    """Give a warning at the line that called the package."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "shoal":
        frame = frame.f_back
        level += 1
    warnings.warn(warning, stacklevel=level)
