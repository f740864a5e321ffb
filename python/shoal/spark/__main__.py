"""The command, for spark-submit and for terminals: python -m shoal.spark anonymize IN OUT --spec patients.yaml

Exit codes are those of the program: 0 done, 1 failed, 2 usage, 3 no release can meet what is asked for, 4 the check
is negative, or warnings under strict.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional

import shoal

from .._errors import Error, InvalidError, PrivacyWarning, RejectedError, UnsatisfiableError, WarnedError
from .._report import Report
from .._spec import Spec
from ._calls import anonymize, inspect, measure, verify
from ._cluster import check_java
from ._divide import Limits
from ._write import FORMATS, format_of, write

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m shoal.spark", description="Anonymize, verify, measure and inspect tables where Spark has them.")
    parser.add_argument("--version", action="version", version=f"shoal {shoal.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)

    def add(name: str, help: str, *places: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help)
        for place in places:
            command.add_argument(place.lower(), metavar=place)
        command.add_argument("--format", choices=FORMATS, help="of what is read: by its ending, or parquet")
        command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE",
                             help="of Spark's reader, such as sep=;")
        command.add_argument("--spec", metavar="FILE", help="a YAML file: docs/formats.md")
        command.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                             help="a setting on top of the spec, such as privacy.k=20")
        command.add_argument("--report", metavar="FILE", help="write what was found: .json or .txt")
        command.add_argument("--most-values", type=int, default=Limits.most_values, metavar="N",
                             help=f"different values of a column, at most ({Limits.most_values})")
        return command

    making = add("anonymize", "from a table to a verified release", "IN", "OUT")
    making.add_argument("--out-format", choices=FORMATS, help="of what is written: by its ending, or parquet")
    making.add_argument("--overwrite", action="store_true", help="replace what is there")
    making.add_argument("--fragment-records", type=int, default=Limits.fragment_records, metavar="N",
                        help=f"records that an executor solves at once ({Limits.fragment_records})")
    making.add_argument("--no-keep", action="store_true", help="read the source in each pass; keep nothing")
    add("verify", "check a release", "RELEASE")
    add("measure", "loss, sizes of classes and risk of a release", "ORIGINAL", "RELEASE")
    looking = add("inspect", "types, likely roles, who is unique", "IN")
    looking.add_argument("--sample", type=int, default=100_000, metavar="N", help="records to look at (100000)")
    looking.add_argument("-o", "--output", metavar="FILE", help="write a spec to start from")
    return parser


def _spec(arguments: argparse.Namespace) -> Spec:
    from .. import _core
    from .._runtime import calling

    spec = Spec.read(arguments.spec) if arguments.spec else Spec()
    with calling() as options:
        for text in arguments.set:
            key, found, value = text.partition("=")
            if not found:
                raise InvalidError(f"--set takes KEY=VALUE; got {text!r}.")
            _core.spec_set(options, spec._handle, key, value)
    return spec


def _read(session: SparkSession, place: str, arguments: argparse.Namespace, spec: Spec) -> DataFrame:
    """What Spark finds at a place. Types of CSV are found in it, but for columns that the spec calls texts."""
    kind = format_of(place, arguments.format)
    if kind == "table":
        return session.table(place)
    reader = session.read.format(kind)
    if kind == "csv":
        reader = reader.option("header", True).option("escape", '"').option("inferSchema", True)
    for text in arguments.option:
        key, _, value = text.partition("=")
        reader = reader.option(key, value)
    frame = reader.load(place)
    texts = [name for name in frame.columns if _is_text(spec, name)]
    if kind == "csv" and any(frame.schema[name].dataType.simpleString() != "string" for name in texts):
        from pyspark.sql import types

        fields = [types.StructField(field.name, types.StringType() if field.name in texts else field.dataType, True)
                  for field in frame.schema.fields]
        frame = reader.schema(types.StructType(fields)).load(place)
    return frame


def _is_text(spec: Spec, name: str) -> bool:
    from .. import _core
    from .._runtime import QUIET

    if name not in spec.columns:
        return False
    hierarchy = _core.spec_get_column(QUIET, spec._handle, name, "hierarchy") or ""
    return (_core.spec_get_column(QUIET, spec._handle, name, "type") == "string" or hierarchy.startswith("prefix"))


def _session() -> SparkSession:
    from pyspark.sql import SparkSession

    check_java()
    return SparkSession.builder.appName("shoal").getOrCreate()


def _tell(report: Report, arguments: argparse.Namespace) -> None:
    print(report.text, end="")
    if arguments.report:
        report.write(arguments.report)


def _run(arguments: argparse.Namespace) -> int:
    spec = _spec(arguments)
    session = _session()
    if arguments.command == "anonymize":
        release = anonymize(_read(session, arguments.__dict__["in"], arguments, spec), spec=spec,
                            fragment_records=arguments.fragment_records, most_values=arguments.most_values,
                            keep=not arguments.no_keep)
        try:
            write(release, arguments.out, format=arguments.out_format, overwrite=arguments.overwrite)
        finally:
            release.unpersist()
        _tell(release.report, arguments)
        return 0
    if arguments.command == "verify":
        report = verify(_read(session, arguments.release, arguments, spec), spec=spec, most_values=arguments.most_values)
        _tell(report, arguments)
        return 0 if report.holds else 4
    if arguments.command == "measure":
        original = _read(session, arguments.original, arguments, spec)
        released = _read(session, arguments.release, arguments, spec)
        _tell(measure(original, released, spec=spec, most_values=arguments.most_values), arguments)
        return 0
    found = inspect(_read(session, arguments.__dict__["in"], arguments, spec), spec=spec, sample=arguments.sample)
    _tell(found, arguments)
    if arguments.output:
        found.write(arguments.output)
    return 0


def main(words: Optional[Sequence[str]] = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(words)
    warnings.simplefilter("ignore", PrivacyWarning)  # they are in what is told
    try:
        return _run(arguments)
    except Error as error:
        print(f"shoal.spark: {error}", file=sys.stderr)
        codes: dict[type[Any], int] = {UnsatisfiableError: 3, RejectedError: 4, WarnedError: 4, InvalidError: 2}
        return next((code for kind, code in codes.items() if isinstance(error, kind)), 1)
    except Exception as error:
        if not type(error).__module__.startswith(("pyspark", "py4j")):
            raise
        # What Spark says may quote cells: its name for the failure has to do.
        names = re.findall(r"\[([A-Z][A-Z0-9_.]+)\]", str(error))
        print(f"shoal.spark: Spark failed: {names[0] if names else type(error).__name__}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
