"""What runs found. Reports are plain data: they never change, pickle, and hold no cells."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Optional

from . import _html
from ._errors import InvalidError
from ._spec import Spec, axes
from ._table import PathLike


@dataclass(frozen=True)
class Verdict:
    """One requirement: what was asked, whether it holds, and the class that is worst off."""

    key: str
    kind: str
    title: str
    asked: str
    column: str
    figure: str
    worst: float
    bound: float
    larger_is_safer: bool
    holds: bool
    worst_class: int
    worst_class_size: int
    worst_row: int
    failing_classes: int
    failing_records: int

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True)
class Notice:
    """A warning of a run. The code never changes."""

    code: str
    column: Optional[str]
    message: str
    #: The spec says that somebody decided to live with it.
    is_accepted: bool = False

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Point:
    """One requirement by one method, on a frontier."""

    requirement: str
    method: str
    state: str
    reason: str
    shape: str
    classes: int
    smallest_class: int
    seconds: float
    is_dominated: bool
    is_recommended: bool
    yaml: str = field(repr=False)
    figures: Mapping[str, float] = field(repr=False)
    asks: str = ""  #: all that it asks for: what was tried, and what the spec asks for at every point

    @property
    def spec(self) -> Spec:
        """The spec that makes the very release of this point."""
        if not self.yaml:
            raise InvalidError("What was asked for cannot be said in a file, so the point has no spec.")
        return Spec.from_yaml(self.yaml)

    def __getitem__(self, name: str) -> float:
        return self.figures[name]


@dataclass(frozen=True)
class Attack:
    """One attack on a release: what was promised, and what it reached. Figures are chances, or numbers
    of which more are safer (``larger_is_safer``); NaN where there is nothing to tell."""

    name: str
    #: The sensitive column, where it is about one.
    column: Optional[str]
    #: Who he is and what he knows.
    attacker: str
    figure: str
    #: Why it was not done; "" when it was.
    reason: str
    note: str
    promised_by: str
    promise: float
    reached: float
    worst: float
    without: float
    low: float
    high: float
    people: int
    beyond: int
    certain: int
    #: Nothing was reached beyond the promise.
    kept: bool
    #: Those who are worst off: records of the original, from 0, and their figures.
    worst_records: tuple[tuple[int, float], ...] = field(repr=False)

    def __bool__(self) -> bool:
        return self.kept


@dataclass(frozen=True)
class Report:
    """What a run found: ``text`` for people, ``to_dict()`` and figures for programs.

    ``report["gcp"]`` is a figure by its name in the JSON; ``report.figures`` has all of them.
    """

    #: A few lines for people.
    text: str = field(repr=False)
    #: All of it as JSON.
    json: str = field(repr=False)
    #: Whether every requirement holds, or a point of a frontier is within the limits.
    holds: bool
    #: Numbers by name.
    figures: Mapping[str, float] = field(repr=False)
    #: What was asked for, requirement by requirement.
    verdicts: tuple[Verdict, ...]
    #: What speaks against the result though the run went well.
    warnings: tuple[Notice, ...]
    #: The page of a full report (``report_detail="full"``), else "".
    html: str = field(repr=False)
    #: The page for others, without values and names of files.
    external: str = field(repr=False)
    #: What attacks reached, where some were simulated.
    attacks: tuple[Attack, ...] = ()

    def __getitem__(self, name: str) -> float:
        """A figure by its name."""
        return self.figures[name]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        figures = ", ".join(f"{name}={value:.6g}" for name, value in list(self.figures.items())[:4])
        return f"<shoal.{type(self).__name__}: {figures}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON of the report, read."""
        result: dict[str, Any] = json.loads(self.json)
        return result

    @property
    def gcp(self) -> float:
        """The share of information lost, from 0 to 1; NaN where nothing was released."""
        return self.figures.get("gcp", math.nan)

    def write(self, path: PathLike) -> None:
        """Write it to a file, whole or not at all, by the ending of the name: .html (of a full
        report), .json or .txt."""
        ending = os.path.splitext(os.fspath(path))[1]
        content = self._contents().get(ending)
        if not content:
            raise InvalidError(
                f"This report can be written as {', '.join(k for k, v in self._contents().items() if v)}; "
                f"got {ending or 'no ending'!r}."
            )
        _write_whole(path, content)

    def write_external(self, path: PathLike) -> None:
        """Write the page for others, to a name that ends in .html."""
        if not self.external or not os.fspath(path).endswith(".html"):
            raise InvalidError('The page for others needs report_detail="full" and a name in .html.')
        _write_whole(path, self.external)

    def _contents(self) -> dict[str, str]:
        return {".json": self.json, ".txt": self.text, ".html": self.html}

    def _repr_html_(self) -> str:
        return _html.box(
            type(self).__name__,
            *(_html.verdict(verdict.asked, verdict.holds) for verdict in self.verdicts),
            *(_html.warning(notice.message) for notice in self.warnings),
            f"<pre>{_html.escape(self.text)}</pre>",
        )


@dataclass(frozen=True, repr=False)
class Inspection(Report):
    """What is in a table: types, likely roles, who is unique. ``yaml`` is a spec to start from."""

    yaml: str = field(repr=False, default="")

    @property
    def spec(self) -> Spec:
        """A spec to start from; look at every role before you use it."""
        return Spec.from_yaml(self.yaml)

    def _contents(self) -> dict[str, str]:
        return {**super()._contents(), ".yaml": self.yaml, ".yml": self.yaml}


@dataclass(frozen=True, repr=False)
class Answer(Report):
    """The answer of a release to a query: ``float(answer)`` is the estimate."""

    @property
    def estimate(self) -> float:
        """What a reader of the release would answer."""
        return self.figures.get("estimate", math.nan)

    @property
    def exact(self) -> float:
        """What the original says; NaN without one."""
        return self.figures.get("exact", math.nan)

    @property
    def error(self) -> float:
        """The relative error, of many queries the mean; NaN without an original."""
        return self.figures.get("query_error", math.nan)

    def __float__(self) -> float:
        return self.estimate


class Picture:
    """A drawing that notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: PathLike) -> None:
        """Write it as an .svg file."""
        _write_whole(path, self.svg)

    def __repr__(self) -> str:
        return f"<shoal.Picture: {len(self.svg)} bytes of SVG>"


@dataclass(frozen=True, repr=False)
class Frontier(Report):
    """What many releases would reveal and lose. Iterating gives the points."""

    points: tuple[Point, ...] = ()
    csv: str = field(repr=False, default="")
    svg: str = field(repr=False, default="")

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def best(self) -> tuple[Point, ...]:
        """The points that no other one beats on both counts."""
        return tuple(point for point in self.points if not point.is_dominated)

    @property
    def recommended(self) -> Optional[Point]:
        """The best point within the limits, if there is one."""
        return next((point for point in self.points if point.is_recommended), None)

    def plot(self) -> Picture:
        """The picture: both axes, every point, the frontier and what is recommended."""
        return Picture(self.svg)

    def _contents(self) -> dict[str, str]:
        return {**super()._contents(), ".csv": self.csv, ".svg": self.svg}

    def _repr_html_(self) -> str:
        names = [name for name, value in (self.best[0].figures if self.best else {}).items() if value == value]
        rows = [
            [number, point.asks, point.method, point.state,
             *(f"{point.figures.get(name, math.nan):.4g}" for name in names),
             "recommended" if point.is_recommended else "" if point.is_dominated else "on the frontier"]
            for number, point in enumerate(self.points, 1)
        ]
        return _html.box("Frontier", self.svg,
                         _html.table(rows, ["no.", "asks for", "method", "state", *names, ""]))


def _write_whole(path: PathLike, content: str) -> None:
    folder = os.path.dirname(os.fspath(path)) or "."
    handle, part = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(part, path)  # for its owner alone, as the program writes reports
    except BaseException:
        os.unlink(part)
        raise


def build(kind: type[Any], facts: Mapping[str, Any], more: tuple[Notice, ...] = ()) -> Any:
    """A report of what the extension says of one, and of warnings from here."""
    parts: dict[str, Any] = {
        "text": facts["text"],
        "json": facts["json"],
        "holds": facts["holds"],
        "figures": dict(facts["figures"]),
        "verdicts": tuple(Verdict(**verdict) for verdict in facts["requirements"]),
        "warnings": tuple(
            Notice(notice["code"], notice["column"] or None, notice["message"], notice["is_accepted"])
            for notice in facts["warnings"]
        ) + more,
        "html": facts["html"],
        "external": facts["external"],
    }
    if '"attacks": [' in facts["json"]:
        parts["attacks"] = tuple(_attack(said) for said in json.loads(facts["json"]).get("attacks", []))
    if kind is Inspection:
        parts["yaml"] = facts["yaml"]
    if kind is Frontier:
        told = json.loads(facts["json"])["points"]
        parts["points"] = tuple(
            Point(figures=_point_figures(said), asks=said["asks"], **point) for point, said in zip(facts["points"], told)
        )
        parts["csv"] = facts["csv"]
        parts["svg"] = facts["svg"]
    return kind(**parts)


def _attack(said: Mapping[str, Any]) -> Attack:
    def number(name: str) -> float:
        value = said.get(name)
        return math.nan if value is None else float(value)

    return Attack(
        said["name"], said.get("column"), said["attacker"], said["figure"], said.get("reason", ""), said.get("note", ""),
        said.get("promised_by", ""), number("promise"), number("reached"), number("worst"), number("without"),
        number("low"), number("high"), said.get("people", 0), said.get("beyond", 0), said.get("certain", 0),
        said.get("kept", True),
        tuple((int(one["record"]) - 1, float(one["figure"])) for one in said.get("worst_records", [])),
    )


def _point_figures(said: Mapping[str, Any]) -> dict[str, float]:
    """Of those that can be axes, what was measured."""
    return {name: float(said[name]) for name in axes() if isinstance(said.get(name), (int, float))}
