"""What a run on Spark gives: a frame that was verified, and what was found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Optional

import shoal

from .._report import Notice, Report, Verdict
from .._spec import Spec
from ._verify import Found

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class SparkRelease:
    """A release that Spark's own SQL has verified before anybody got it.

    :attr:`df` has the released columns: texts of quasi columns, the others as they were. Spark keeps its rows
    (``MEMORY_AND_DISK``) until :meth:`unpersist`; what is lost with an executor is made again from the input, to the
    same rows.
    """

    def __init__(self, df: DataFrame, report: Report, spec: Spec, held: tuple[DataFrame, ...]) -> None:
        self._df = df
        self._report = report
        self._spec = spec
        self._held = held

    @property
    def df(self) -> DataFrame:
        """The released rows."""
        return self._df

    @property
    def report(self) -> Report:
        """What the run found: loss, classes, verdicts, warnings, seconds by stage."""
        return self._report

    @property
    def spec(self) -> Spec:
        """What the run was asked for."""
        return self._spec

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What was asked for, requirement by requirement."""
        return self._report.verdicts

    @property
    def warnings(self) -> tuple[Notice, ...]:
        """What speaks against the release though the run went well."""
        return self._report.warnings

    @property
    def gcp(self) -> float:
        """The share of information lost, from 0 to 1."""
        return self._report.gcp

    def unpersist(self) -> None:
        """Let Spark forget the rows; :attr:`df` is made again when it is used again."""
        for frame in self._held:
            frame.unpersist()

    def __len__(self) -> int:
        return int(self._report["records"])

    def __repr__(self) -> str:
        figures = self._report.figures
        return (f"<shoal.spark.SparkRelease: {int(figures['records'])} rows, {int(figures['classes'])} classes, "
                f"GCP {100 * figures['gcp']:.2f} %>")


def build_report(
    command: str,
    found: Optional[Found],
    figures: Mapping[str, float],
    notices: tuple[Notice, ...] = (),
    seconds: Optional[Mapping[str, float]] = None,
    more: Optional[Mapping[str, Any]] = None,
) -> Report:
    """A report in the form of the package's: a few lines, JSON, figures, verdicts, warnings."""
    verdicts = found.verdicts if found else ()
    told: dict[str, Any] = {"schema": 1, "command": command, "engine": "spark", "version": shoal.__version__}
    numbers = dict(figures)
    if found:
        numbers = {"records": float(found.records), "classes": float(found.classes),
                   "smallest_class": float(found.smallest), "largest_class": float(found.largest), **numbers}
        if found.persons is not None:
            numbers["persons"] = float(found.persons)
    told.update({name: int(value) if value == int(value) and abs(value) < 2**53 else value
                 for name, value in numbers.items() if value == value and abs(value) != float("inf")})
    told.update(more or {})
    if found:
        told["holds"] = found.holds
        told["requirements"] = [_requirement(verdict) for verdict in verdicts]
    told["warnings"] = [{"code": n.code, "column": n.column or "", "message": n.message, "accepted": n.is_accepted}
                        for n in notices]
    if seconds is not None:
        told["seconds"] = {name: round(value, 3) for name, value in seconds.items()}
        numbers["seconds"] = sum(seconds.values())
    return Report(text=_text(numbers, verdicts, notices, seconds, told), json=json.dumps(told, indent=2) + "\n",
                  holds=found.holds if found else True, figures=numbers, verdicts=verdicts, warnings=notices, html="",
                  external="")


def _requirement(verdict: Verdict) -> dict[str, Any]:
    finite = abs(verdict.worst) != float("inf") and verdict.worst == verdict.worst
    return {"key": verdict.key, "kind": verdict.kind, "title": verdict.title, "column": verdict.column,
            "value": verdict.bound, "asked": verdict.asked, "holds": verdict.holds,
            "worst_figure": verdict.worst if finite else None, "worst_class_size": verdict.worst_class_size,
            "failing_classes": verdict.failing_classes, "failing_records": verdict.failing_records}


def _text(numbers: Mapping[str, float], verdicts: tuple[Verdict, ...], notices: tuple[Notice, ...],
          seconds: Optional[Mapping[str, float]], told: Mapping[str, Any]) -> str:
    lines = []
    if "records" in numbers:
        persons = f" of {int(numbers['persons'])} persons" if "persons" in numbers else ""
        lines.append(f"Records   {int(numbers['records'])}{persons}")
    if "classes" in numbers:
        unit = "persons" if "persons" in numbers else "records"
        lines.append(f"Classes   {int(numbers['classes'])} of {int(numbers['smallest_class'])} to "
                     f"{int(numbers['largest_class'])} {unit}")
    if "gcp" in numbers:
        lines.append(f"Loss      GCP {100 * numbers['gcp']:.2f} %, NCP {numbers['ncp']:.6g}")
    if "highest_risk" in numbers:
        lines.append(f"Risk      highest {numbers['highest_risk']:.4g}, mean {numbers['average_risk']:.4g}")
    if "fragments" in numbers:
        lines.append(f"Divided   {int(numbers['fragments'])} fragments of at most {int(numbers['largest_fragment'])} "
                     f"records, {int(numbers['passes'])} passes over the records")
    if told.get("left_out"):
        lines.append(f"Left out  {', '.join(told['left_out'])}")
    for verdict in verdicts:
        worst = "" if verdict.key == "k" else f"; at worst {verdict.worst:.4g}, in a class of {verdict.worst_class_size}"
        lines.append(f"{'Verified ' if verdict.holds else 'FAILED   '} {verdict.asked}{worst if verdict.holds else ''}")
        if not verdict.holds:
            lines.append(f"          {verdict.failing_classes} classes with {verdict.failing_records} records do not; "
                         f"at worst {verdict.worst:.4g}")
    for notice in notices:
        lines.append(f"{'Accepted ' if notice.is_accepted else 'Warning  '} {notice.message} ({notice.code})")
    if seconds is not None:
        parts = ", ".join(f"{name} {value:.1f}" for name, value in seconds.items())
        lines.append(f"Seconds   {parts}, total {sum(seconds.values()):.1f}")
    return "\n".join(lines) + "\n"
