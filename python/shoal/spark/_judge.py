"""Whether classes meet what was asked for, by counts that Spark's SQL made: plain Python, none of libshoal.

docs/requirements.md has the definitions. A class comes as its size and, for a sensitive column, how often each
value is in it. Shares are quotients of whole numbers and compared as such; sums of them are taken to meet a bound
that they miss by at most 1e-9 of it, which is more than their rounding can be.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy

#: Cells of a matrix of classes and values that is made at once.
_CELLS = 1 << 22
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Asked:
    """One requirement about one column; the column is "" where it is about sizes."""

    key: str
    kind: str
    column: str
    value: float
    c: float = 0.0
    names: tuple[str, ...] = ()
    limits: tuple[float, ...] = ()

    @property
    def larger_is_safer(self) -> bool:
        return self.key in ("k", "record_k") or (self.key == "l" and self.kind != "recursive")


@dataclass(frozen=True)
class Domain:
    """The values of a sensitive column in the whole table; None is missing."""

    values: tuple[Optional[str], ...]
    counts: tuple[int, ...]
    #: Of a hierarchy: the node of each value, and parent and height of each node.
    leaves: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    heights: tuple[int, ...] = ()

    @property
    def shares(self) -> Any:
        counts = numpy.array(self.counts, dtype=float)
        return counts / counts.sum()

    def find(self, name: str, tokens: Sequence[str]) -> int:
        """The place of a value by its name; a token of missing values is the missing one."""
        if name in self.values:
            return self.values.index(name)
        return self.values.index(None) if name in tokens and None in self.values else -1


# --- What was asked for. ----------------------------------------------------------------------


_KINDS = {"alpha": "general", "l": "frequency", "t": "js", "delta": "", "beta": "basic"}


def _names(text: str) -> list[str]:
    """Values by name: a,"b, c",d"""
    return [quoted.replace('""', '"') if quoted or not plain else plain
            for quoted, plain in re.findall(r'\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)', text)
            if quoted or plain]


def parse(key: str, text: str, column: str) -> Asked:
    """A requirement as specs write it: ``0.5``, ``distinct:3``, ``0.4:HIV,TB``, ``limits:"HIV"=0.2``."""
    if key == "alpha" and text.startswith("limits:"):
        found = re.findall(r'"((?:[^"]|"")*)"=([^,]+)', text[len("limits:"):])
        return Asked(key, "limits", column, 1.0, names=tuple(name.replace('""', '"') for name, _ in found),
                     limits=tuple(float(limit) for _, limit in found))
    first, _, rest = text.partition(":")
    if key == "alpha" and rest:
        return Asked(key, "values", column, float(first), names=tuple(_names(rest)))
    if first == "recursive":
        c, _, value = rest.partition(":")
        return Asked(key, first, column, float(value), c=float(c))
    return Asked(key, first if rest else _KINDS[key], column, float(rest or first))


def list_asked(settings: dict[str, Any], sensitive: Sequence[str]) -> list[Asked]:
    """All requirements of a spec, about each sensitive column or the one that is named."""
    asked: list[Asked] = []
    if settings.get("k"):
        asked.append(Asked("k", "", "", float(settings["k"])))
    if settings.get("k_column"):
        asked.append(Asked("record_k", "", "", 0.0))
    for key in _KINDS:
        for text in settings.get(key) or []:
            named = [name for name in sensitive if text.startswith(name + "=")]
            for column in named or sensitive:
                asked.append(parse(key, text[len(column) + 1:] if named else text, column))
    return asked


def _number(value: float) -> str:
    return format(value, ".10g")


def words(asked: Asked, unit: str) -> tuple[str, str, str]:
    """Title, the requirement in words, and what its figure is."""
    value, column = _number(asked.value), asked.column
    distances = {"equal": ("equal distance", "all equally far apart"), "ordered": ("ordered distance", "along their order"),
                 "hierarchical": ("hierarchical distance", "along their hierarchy")}
    if asked.key == "k":
        return "k-anonymity", f"every class has at least {value} {unit}s", f"{unit}s of the class"
    if asked.key == "record_k":
        return ("personalised k-anonymity", f"every class has as many {unit}s as each of its records asks for",
                f"{unit}s of the class, divided by the largest k that is asked for in it")
    if asked.key == "alpha":
        if asked.kind == "general":
            return ("general (alpha,k)-anonymity",
                    f"in every class each value of {column} has a share of at most {value}",
                    "share of the most frequent value")
        if asked.kind == "values":
            have = "the named value has" if len(asked.names) == 1 else "the named values together have"
            return ("(alpha,k)-anonymity of named values",
                    f"in every class {have} a share of at most {value} of {column}",
                    "share of the named values together")
        return ("(alpha,k)-anonymity with a limit for each value", f"in every class each named value of {column} is within its limit",
                "largest share of a named value as a part of its limit")
    if asked.key == "l":
        if asked.kind == "frequency":
            return ("l-diversity", f"in every class each value of {column} has a share of at most 1/{value}",
                    f"{unit}s divided by those with the most frequent value")
        if asked.kind == "distinct":
            what = "value" if asked.value == 1 else "different values"
            return "distinct l-diversity", f"every class has at least {value} {what} of {column}", "different values"
        if asked.kind == "entropy":
            return ("entropy l-diversity", f"in every class the entropy of {column} is at least ln {value}",
                    "exponential of the entropy of the values")
        return ("recursive (c,l)-diversity",
                f"in every class the most frequent value of {column} has fewer than {_number(asked.c)} times "
                f"the {unit}s of the values from rank {value} on",
                f"{unit}s with the most frequent value, divided by those with the l-th and all less frequent ones")
    if asked.key == "t":
        asks = (f"in every class the distribution of {column} is at most {value} from that of the table "
                f"(distance: {asked.kind})")
        if asked.kind == "js":
            return ("t-closeness by Jensen-Shannon divergence", asks,
                    "Jensen-Shannon divergence from the values of the table")
        name, how = distances[asked.kind]
        return f"t-closeness by {name}", asks, f"earth mover's distance to the values of the table, {how}"
    if asked.key == "delta":
        return ("delta-disclosure privacy",
                f"in every class the share of each value of {column} differs from that in the table by a factor of at "
                f"most e^{value}", "largest logarithm by which the share of a value differs from that in the table")
    asks = f"in every class the share of each value of {column} exceeds that in the table by at most {value} times"
    figure = "largest gain in the share of a value over that in the table"
    if asked.kind == "basic":
        return "beta-likeness", asks, figure
    return ("enhanced beta-likeness", asks + ", and by less for values with a share above e^-beta",
            figure + ", counted more where its limit is below beta")


# --- Classes. ---------------------------------------------------------------------------------


@dataclass
class Classes:
    """Some classes: sizes in records or persons, and the counts of their values, class after class."""

    sizes: Any     # of each class
    starts: Any    # where the counts of each begin
    places: Any    # of each count: the value's place in the domain
    counts: Any

    @property
    def totals(self) -> Any:
        return numpy.add.reduceat(self.counts, self.starts)

    def per_count(self, of_classes: Any) -> Any:
        """A number of each class, for each of its counts."""
        lengths: Any = numpy.diff(numpy.append(self.starts, len(self.counts)))
        return numpy.repeat(of_classes, lengths)


def _largest(classes: Classes) -> Any:
    return numpy.maximum.reduceat(classes.counts, classes.starts)


def _sum(classes: Classes, terms: Any) -> Any:
    return numpy.add.reduceat(terms, classes.starts)


def _dense(classes: Classes, count: int) -> Any:
    """Shares of all values, some classes at a time."""
    lengths: Any = numpy.diff(numpy.append(classes.starts, len(classes.counts)))
    step = max(1, _CELLS // count)
    for first in range(0, len(classes.starts), step):
        last = min(first + step, len(classes.starts))
        begin = classes.starts[first]
        end = classes.starts[last] if last < len(classes.starts) else len(classes.counts)
        rows: Any = numpy.repeat(numpy.arange(last - first), lengths[first:last])
        matrix = numpy.zeros((last - first, count))
        matrix[rows, classes.places[begin:end]] = classes.counts[begin:end]
        yield matrix / matrix.sum(axis=1, keepdims=True)


def _distance(asked: Asked, classes: Classes, domain: Domain) -> Any:
    q = domain.shares
    p = classes.counts / classes.per_count(classes.totals)
    at = q[classes.places]
    if asked.kind == "equal":
        return (_sum(classes, numpy.abs(p - at)) + 1 - _sum(classes, at)) / 2
    if asked.kind == "js":
        middle = (p + at) / 2
        here = p * numpy.log(p / middle) + at * numpy.log(at / middle)
        return _sum(classes, here) / 2 + (1 - _sum(classes, at)) * math.log(2) / 2
    if asked.kind == "ordered":
        width = max(1, len(q) - 1)
        return numpy.concatenate([numpy.abs(numpy.cumsum(m - q, axis=1)).sum(axis=1) / width
                                  for m in _dense(classes, len(q))])
    below, lengths = _tree(domain)
    return numpy.concatenate([numpy.abs((m - q) @ below) @ lengths for m in _dense(classes, len(q))])


def _tree(domain: Domain) -> tuple[Any, Any]:
    """Which values lie below each node, and how long the edge above it is, as a part of the root's height."""
    below = numpy.zeros((len(domain.leaves), len(domain.parents)))
    for place, node in enumerate(domain.leaves):
        while node > 0:
            below[place, node] = 1
            node = domain.parents[node]
    height = max(1, domain.heights[0])
    lengths: Any = numpy.array([0.0] + [(domain.heights[domain.parents[node]] - domain.heights[node]) / (2 * height)
                                   for node in range(1, len(domain.parents))])
    return below, lengths


def _gains(asked: Asked, classes: Classes, domain: Domain) -> Any:
    q = domain.shares
    p = classes.counts / classes.per_count(classes.totals)
    gain = (p - q[classes.places]) / q[classes.places]
    if asked.kind == "enhanced":
        limits = -numpy.log(q)
        is_stricter = (limits > 0) & (limits < asked.value)
        weights = numpy.where(is_stricter, asked.value / numpy.where(is_stricter, limits, 1), 1)
        gain = gain * weights[classes.places]
    return numpy.maximum(0, numpy.maximum.reduceat(gain, classes.starts))


def _rest(classes: Classes, rank: int) -> Any:
    """What is left behind the rank - 1 most frequent values."""
    owner = classes.per_count(numpy.arange(len(classes.starts)))
    order = numpy.lexsort((-classes.counts, owner))
    place = numpy.arange(len(order)) - classes.per_count(classes.starts)
    return _sum(classes, numpy.where(place >= rank - 1, classes.counts[order], 0))


def judge(asked: Asked, classes: Classes, domain: Domain, tokens: Sequence[str],
          joined: Any = None) -> tuple[Any, Any]:
    """The figure of each class, and whether it holds. joined: of values that are named together, the persons with
    any of them; without persons it is the sum."""
    key, kind, value = asked.key, asked.kind, asked.value
    if key == "alpha":
        if kind == "general":
            figure = _largest(classes) / classes.sizes
            return figure, figure <= value
        at = [domain.find(name, tokens) for name in asked.names]
        if kind == "values":
            if joined is None:
                joined = _sum(classes, numpy.where(numpy.isin(classes.places, at), classes.counts, 0))
            figure = joined / classes.sizes
            return figure, figure <= value
        limits = numpy.full(len(domain.values), math.inf)
        limits[at] = asked.limits
        shares = classes.counts / classes.per_count(classes.sizes)
        holds = numpy.logical_and.reduceat(shares <= limits[classes.places], classes.starts)
        return numpy.maximum.reduceat(shares / limits[classes.places], classes.starts), holds
    if key == "l":
        if kind == "frequency":
            figure = classes.sizes / _largest(classes)
            return figure, figure >= value
        if kind == "distinct":
            figure = numpy.diff(numpy.append(classes.starts, len(classes.counts))).astype(float)
            return figure, figure >= value
        if kind == "entropy":
            p = classes.counts / classes.per_count(classes.totals)
            figure = numpy.exp(-_sum(classes, p * numpy.log(p)))
            return figure, figure >= value * (1 - _TOLERANCE)
        rest = _rest(classes, int(value))
        with numpy.errstate(divide="ignore"):
            figure = numpy.where(rest > 0, _largest(classes) / rest, math.inf)
        return figure, figure < asked.c
    if key == "t":
        figure = numpy.maximum(0, _distance(asked, classes, domain))
    elif key == "delta":
        q = domain.shares
        p = classes.counts / classes.per_count(classes.totals)
        figure = numpy.maximum.reduceat(numpy.abs(numpy.log(p / q[classes.places])), classes.starts)
        lengths: Any = numpy.diff(numpy.append(classes.starts, len(classes.counts)))
        figure = numpy.where(lengths < len(q), math.inf, figure)
    elif key == "beta":
        figure = _gains(asked, classes, domain)
    else:
        raise AssertionError(f"nobody knows how to judge {key}")
    return figure, figure <= value * (1 + _TOLERANCE) + 1e-12


# --- Findings, which add up. ------------------------------------------------------------------


@dataclass
class Finding:
    """What is known of a requirement so far."""

    worst: float = math.nan
    worst_size: int = 0
    failing_classes: int = 0
    failing_records: int = 0

    def take(self, worst: float, size: int, failing_classes: int, failing_records: int, larger_is_safer: bool) -> None:
        nearer = worst < self.worst if larger_is_safer else worst > self.worst
        if math.isnan(self.worst) or nearer or (worst == self.worst and size < self.worst_size):
            self.worst, self.worst_size = worst, size
        self.failing_classes += failing_classes
        self.failing_records += failing_records


def summarize(asked: Asked, figure: Any, holds: Any, records: Any) -> tuple[float, int, int, int]:
    """Of some classes: the worst figure, the size of its class, classes and records that fail."""
    worst = figure.min() if asked.larger_is_safer else figure.max()
    size = records[figure == worst].min()
    return float(worst), int(size), int((~holds).sum()), int(records[~holds].sum())
