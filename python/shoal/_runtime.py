"""What every call of the library needs: progress, logging, and how failures are told."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from ._errors import Error

if TYPE_CHECKING:
    from . import _core

#: ``True`` for a bar (tqdm, if it is installed), or a function of stage and fraction, which
#: answers False to stop.
Progress = Union[bool, Callable[[str, float], object]]

logger = logging.getLogger("shoal")
logger.addHandler(logging.NullHandler())

_LEVELS = (logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)

#: For calls that take no time and say nothing.
QUIET: _core.Options = (None, None, False, 0)


class _Bar:
    """A bar for each stage, by tqdm."""

    def __init__(self, tqdm: Callable[..., Any]) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, fraction: float) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(total=100, desc=stage, unit="%", leave=False)
        self._bar.update(round(100 * fraction) - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Line:
    """One line on the terminal, where there is no tqdm."""

    def __call__(self, stage: str, fraction: float) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"\r{stage} {100 * fraction:3.0f} %  ")
            sys.stderr.flush()

    def close(self) -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r" + " " * 40 + "\r")
            sys.stderr.flush()


def _make_bar() -> Union[_Bar, _Line]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line()
    return _Bar(tqdm)


@contextmanager
def calling(progress: Progress = False, show_values: bool = False) -> Iterator[_core.Options]:
    """Options of a call; mistakes that it tells of become part of its exception."""
    mistakes: list[str] = []
    bar: Union[_Bar, _Line, None] = None
    callback: Optional[Callable[[str, float], object]] = None

    def log(level: int, message: str, where: Optional[tuple[int, int, int, int, str]]) -> None:
        place = f"{where[4]}:{where[2]}: " if where and where[4] and where[2] else ""
        if level == 0:
            mistakes.append(place + message)
        logger.log(_LEVELS[level], "%s%s", place, message)

    if progress is True:
        bar = callback = _make_bar()
    elif callable(progress):
        callback = progress
    elif progress is not False:
        raise TypeError(
            f"progress is True, False or a function of stage and fraction; "
            f"got {type(progress).__name__}."
        )
    try:
        yield (callback, log, bool(show_values), 0)
    except Error as error:
        if len(mistakes) > 1:
            error.mistakes = tuple(mistakes)
        raise
    finally:
        if bar is not None:
            bar.close()
