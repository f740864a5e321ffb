"""The calls: anonymize, verify, measure, risk, attack, inspect, refine, frontier, query, generate."""

from __future__ import annotations

import inspect as _inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar, Union, cast, overload

from . import _core
from ._arguments import Arguments, Parameter
from ._errors import InvalidError, PrivacyWarning, UnsupportedError, WarnedError, warn
from ._release import Release, as_release
from ._report import Answer, Frontier, Inspection, Notice, Report, build
from ._runtime import Progress, calling
from ._spec import Spec, keywords_of, make_spec
from ._table import PathLike, Table, TableLike, code_columns, is_path, path_bytes, table

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: A spec, or the path of a YAML file.
SpecLike = Union[Spec, PathLike]

_Call = TypeVar("_Call", bound=Callable[..., Any])


def _takes_settings(call: _Call) -> _Call:
    """Let help() and notebooks show the keyword arguments that stand behind **settings."""
    signature = _inspect.signature(call)
    named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    more = [
        _inspect.Parameter(name, _inspect.Parameter.KEYWORD_ONLY, default=None)
        for name in keywords_of(call.__name__)
        if name not in signature.parameters
    ]

    setattr(call, "__signature__", signature.replace(parameters=named + more))
    return call


def _bound(run: str, spec: Optional[SpecLike], settings: Mapping[str, Any]) -> Spec:
    """The spec of a call, with its keyword arguments on top."""
    known = keywords_of(run)
    for name in settings:
        if name not in known and name in keywords_of():
            raise TypeError(f"{run} has no argument {name!r}: it would change nothing here.")
    return make_spec(spec, settings)


def _own_spec(spec: Optional[SpecLike], release: object) -> Optional[SpecLike]:
    """A release of ours brings the spec it was made with."""
    return release._spec if spec is None and isinstance(release, Release) else spec


# --- Warnings. --------------------------------------------------------------------------------


def _own_notices(data: Optional[Table], spec: Spec) -> tuple[Notice, ...]:
    """What only a front end of data frames can know."""
    if data is None or data._library == "path":
        return ()
    accepted = "code-as-number" in str(spec.get("accept")).split(",")
    return tuple(
        Notice(
            "code-as-number", name,
            f'The column "{name}" is named like a code but holds whole numbers: leading zeros are lost. '
            "Read it as text.",
            accepted,
        )
        for name in code_columns(data, spec.with_role("quasi", "sensitive", "insensitive"))
    )


def _check_strict(data: Table, spec: Spec) -> None:
    """As the library: nothing is published over a warning that nobody accepted."""
    open_ones = [notice for notice in _own_notices(data, spec) if not notice.is_accepted]
    if open_ones and spec.get("strict") == "true":
        raise WarnedError(open_ones[0].message, column=open_ones[0].column)


def _finish(kind: type[Any], facts: Any, data: Optional[Table], spec: Spec) -> Any:
    """The report of a run; its warnings are given at the caller's line."""
    report = build(kind, facts, _own_notices(data, spec))
    for notice in report.warnings:
        if notice.is_accepted:
            continue
        warn(PrivacyWarning(notice.message, notice.code, notice.column))
    return report


def _tables(options_of_file: Sequence[object]) -> bool:
    """Whether a run is about tables in memory, for which files are read first."""
    return not all(data is None or is_path(data) for data in options_of_file)


def _read(data: TableLike, spec: Spec, show_values: bool) -> Table:
    """A table; a file is read as the spec says."""
    if not is_path(data):
        return table(data, show_values=show_values)

    def said(key: str) -> str:
        value = spec.get(key)
        return value if isinstance(value, str) else ""

    if spec.has_formats():
        raise UnsupportedError(
            "Formats of numbers and dates count where files are run as files; give an output, too, or read "
            "the file into a data frame."
        )
    return table(data, delimiter=said("input_delimiter"), encoding=said("input_encoding") or "auto",
                 skip_lines=int(said("input_skip_lines") or 0), comment=said("input_comment") or None,
                 show_values=show_values)


def _path_or_none(data: Any) -> Optional[bytes]:
    return None if data is None else path_bytes(data)


def _run(
    kind: type[Any],
    run: str,
    spec: Spec,
    *,
    original: Optional[TableLike] = None,
    release: Any = None,
    sensitive_table: Optional[TableLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **more: Any,
) -> Any:
    """A run that gives a report: of files when all are files, else in memory."""
    first: Optional[Table] = None
    if sensitive_table is None and not _tables([original, release]):
        with calling(progress, show_values) as options:
            _, facts = _core.run(options, run + "_file", spec=spec._handle, input=_path_or_none(original),
                                 release_path=_path_or_none(release), **more)
    else:
        first = None if original is None else _read(original, spec, show_values)
        second = None if release is None else as_release(release, sensitive_table, show_values)
        with calling(progress, show_values) as options:
            _, facts = _core.run(options, run, spec=spec._handle,
                                 table=first._handle if first is not None else None,
                                 release=second._handle if second is not None else None, **more)
    return _finish(kind, facts, first, spec)


# --- Releases. --------------------------------------------------------------------------------


@overload
def anonymize(
    data: PathLike,
    output: PathLike,
    *,
    spec: Optional[SpecLike] = ...,
    progress: Progress = ...,
    show_values: bool = ...,
    **settings: Unpack[Arguments],
) -> Report: ...


@overload
def anonymize(
    data: TableLike,
    output: None = ...,
    *,
    spec: Optional[SpecLike] = ...,
    progress: Progress = ...,
    show_values: bool = ...,
    **settings: Unpack[Arguments],
) -> Release: ...


@_takes_settings
def anonymize(
    data: TableLike,
    output: Optional[PathLike] = None,
    *,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Union[Release, Report]:
    """Anonymize a table: every record of the release looks like at least k - 1 others.

    ``data`` is a data frame of pandas, polars, pyarrow, DuckDB or Spark, anything with
    ``__arrow_c_stream__``, a dict of columns, or the path of a CSV file. With a path and an
    ``output`` the release is written there, as the program does it, and the report returned;
    otherwise the release is returned, and no file is touched.

    The most used arguments; :func:`shoal.settings` lists all of them:

    - ``k``: how many records look alike, at least
    - ``quasi``: columns that others may know; they are generalized
    - ``sensitive``: columns that others want to learn; released as they are
    - ``identifier``: names, numbers and the like; never released
    - ``insensitive``: columns that are released as they are, on purpose
    - ``person``: the column that tells whose record it is, where people have several; never released
    - ``l``, ``alpha``, ``t``, ``delta``, ``beta``: requirements on sensitive columns;
      ``l="distinct:3"`` or ``l=("distinct", 3)`` for a kind, ``l={"diagnosis": 3}`` for one column
    - ``hierarchies``: how columns may be made coarser, by name; see :func:`shoal.prefix`
    - ``method``, ``effort`` ("fast", "normal", "high"), ``time``, ``seed``: how to search
    - ``missing``: what a missing value is: "error", "drop" or "keep"
    - ``spec``: a :class:`Spec` or a YAML file; arguments come on top of it
    - ``progress``: True for a bar, or a function of stage and fraction; it answers False to stop
    - ``show_values``: let messages quote the content of cells

    >>> people = shoal.generate("census", 1000)
    >>> release = shoal.anonymize(people, k=10, quasi=["age", "zip", "sex"], sensitive="income",
    ...                           hierarchies={"zip": shoal.prefix(5)}, method="mondrian")
    >>> release
    <shoal.Release: 1000 rows, 71 classes, GCP 12.92 %>
    >>> [str(verdict.asked) for verdict in release.verdicts]
    ['every class has at least 10 records']

    Raises :class:`UnsatisfiableError` when no release can meet the requirements, and
    :class:`RejectedError` when the verifier did not accept what the method made.
    """
    arguments = _bound("anonymize", spec, settings)
    if output is not None:
        if not is_path(data):
            raise TypeError("An output is written from a file; write a release by release.to_csv(path).")
        with calling(progress, show_values) as options:
            _, facts = _core.run(options, "anonymize_file", spec=arguments._handle,
                                 input=path_bytes(data), output=path_bytes(output))
        return cast(Report, _finish(Report, facts, None, arguments))
    original = _read(data, arguments, show_values)
    _check_strict(original, arguments)
    with calling(progress, show_values) as options:
        handle, facts = _core.run(options, "anonymize", spec=arguments._handle, table=original._handle)
    return Release(handle, _finish(Report, facts, original, arguments), arguments, original)


@overload
def refine(
    original: PathLike,
    release: PathLike,
    output: PathLike,
    *,
    spec: Optional[SpecLike] = ...,
    progress: Progress = ...,
    show_values: bool = ...,
    **settings: Unpack[Arguments],
) -> Report: ...


@overload
def refine(
    original: TableLike,
    release: Union[Release, TableLike],
    output: None = ...,
    *,
    spec: Optional[SpecLike] = ...,
    progress: Progress = ...,
    show_values: bool = ...,
    **settings: Unpack[Arguments],
) -> Release: ...


@_takes_settings
def refine(
    original: TableLike,
    release: Union[Release, TableLike],
    output: Optional[PathLike] = None,
    *,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Union[Release, Report]:
    """A better release from one that exists, whoever made it, under the same requirements.

    The new release loses no more than the old one. Files are written as by :func:`anonymize`. A
    release of ours brings its spec.

    >>> people = shoal.generate("census", 200)
    >>> first = shoal.anonymize(people, k=5, quasi=["age", "sex"], method="mondrian")
    >>> shoal.refine(people, first).gcp <= first.gcp
    True
    """
    arguments = _bound("refine", _own_spec(spec, release), settings)
    if output is not None:
        if _tables([original, release]):
            raise TypeError("An output is written from files; write a release by release.to_csv(path).")
        with calling(progress, show_values) as options:
            _, facts = _core.run(options, "refine_file", spec=arguments._handle, input=path_bytes(original),
                                 release_path=_path_or_none(release), output=path_bytes(output))
        return cast(Report, _finish(Report, facts, None, arguments))
    first = _read(original, arguments, show_values)
    second = as_release(release, show_values=show_values)
    with calling(progress, show_values) as options:
        handle, facts = _core.run(options, "refine", spec=arguments._handle, table=first._handle,
                                  release=second._handle)
    return Release(handle, _finish(Report, facts, first, arguments), arguments, first)


# --- Reports. ---------------------------------------------------------------------------------


@_takes_settings
def verify(
    release: Union[Release, TableLike],
    *,
    original: Optional[TableLike] = None,
    sensitive_table: Optional[TableLike] = None,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Report:
    """Check a release, anybody's, by the texts of its quasi columns.

    ``report.holds`` is the verdict, ``report.verdicts`` has it requirement by requirement.
    ``original`` is needed for releases with a box per record (method ``nonhomogeneous``),
    ``sensitive_table`` for those by buckets. A release of ours brings its spec.

    >>> people = {"age": ["20-29", "20-29", "30-39"], "sex": ["F", "F", "M"]}
    >>> report = shoal.verify(people, k=2, quasi=["age", "sex"])
    >>> report.holds
    False
    >>> report.verdicts[0].worst_class_size
    1
    """
    arguments = _bound("verify", _own_spec(spec, release), settings)
    return cast(Report, _run(Report, "verify", arguments, original=original, release=release,
                             sensitive_table=sensitive_table, progress=progress, show_values=show_values))


@_takes_settings
def measure(
    original: TableLike,
    release: Union[Release, TableLike],
    *,
    sensitive_table: Optional[TableLike] = None,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Report:
    """Measure a release, anybody's, against its original, through the hierarchies of the spec.

    Where there are sensitive columns, also what the release tells about single people (privacy loss)
    and no longer tells about large groups (utility loss).

    >>> people = shoal.generate("census", 500)
    >>> release = shoal.anonymize(people, k=5, quasi=["age", "sex"], method="mondrian")
    >>> abs(shoal.measure(people, release).gcp - release.gcp) < 1e-12
    True
    """
    arguments = _bound("measure", _own_spec(spec, release), settings)
    return cast(Report, _run(Report, "measure", arguments, original=original, release=release,
                             sensitive_table=sensitive_table, progress=progress, show_values=show_values))


@_takes_settings
def risk(
    original: TableLike,
    release: Optional[Union[Release, TableLike]] = None,
    *,
    sensitive_table: Optional[TableLike] = None,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Report:
    """How exposed the people of a table are, and those of a release of it: who can be found, by which
    columns, and what that tells.

    >>> people = shoal.generate("census", 500)
    >>> report = shoal.risk(people, quasi=["age", "zip", "sex"], k=5)
    >>> report.to_dict()["command"]
    'risk'
    """
    arguments = _bound("risk", _own_spec(spec, release), settings)
    return cast(Report, _run(Report, "risk", arguments, original=original, release=release,
                             sensitive_table=sensitive_table, progress=progress, show_values=show_values))


@_takes_settings
def attack(
    original: TableLike,
    release: Union[Release, TableLike],
    *others: Union[Release, TableLike],
    sensitive_table: Optional[TableLike] = None,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Report:
    """Simulate attacks of the literature on a release, anybody's, beside its original.

    ``report.attacks`` has what each promised and reached, and the records that are worst off: for you, not
    for those who get the release. ``others`` are further releases of the same people, for attacks that put
    several together. ``attack_names``, ``attack_known`` and ``attack_errors`` say which, and what the attacker
    knows. A release of ours brings its spec.

    >>> people = shoal.generate("census", 500)
    >>> release = shoal.anonymize(people, k=5, quasi=["age", "sex"], sensitive="income", method="mondrian")
    >>> linkage = shoal.attack(people, release, attack_names="linkage").attacks[0]
    >>> linkage.reached <= linkage.promise == 1 / 5
    True
    """
    arguments = _bound("attack", _own_spec(spec, release), settings)
    if sensitive_table is None and not _tables([original, release, *others]):
        more: tuple[Any, ...] = tuple(path_bytes(cast(PathLike, other)) for other in others)
    else:
        more = tuple(as_release(other, None, show_values)._handle for other in others)
        if others and sensitive_table is None and is_path(release):
            release = as_release(release, None, show_values)
        if others and is_path(original):
            original = _read(original, arguments, show_values)
    return cast(Report, _run(Report, "attack", arguments, original=original, release=release,
                             sensitive_table=sensitive_table, progress=progress, show_values=show_values,
                             others=more))


@_takes_settings
def inspect(
    data: TableLike,
    *,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Inspection:
    """Look at a raw table: types, likely roles, how many records are unique.

    ``inspection.spec`` is a spec to start from.

    >>> people = shoal.generate("census", 500)
    >>> shoal.inspect(people).spec.columns["age"]
    'quasi'
    """
    arguments = _bound("inspect", spec, settings)
    return cast(Inspection, _run(Inspection, "inspect", arguments, original=data, progress=progress,
                                 show_values=show_values))


@_takes_settings
def frontier(
    data: TableLike,
    *,
    sweep: Optional[Mapping[str, Sequence[Parameter]]] = None,
    methods: Optional[Sequence[str]] = None,
    axes: Optional[Sequence[str]] = None,
    limits: Optional[Mapping[str, float]] = None,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Frontier:
    """Try many requirements and methods, and tell what each release would reveal and lose.

    ``sweep`` has values to try by requirement, ``methods`` the methods, ``axes`` two figures such as
    ``["highest_risk", "gcp"]``, ``limits`` the most that figures may be in what is recommended.
    Without them a grid that suits the table is tried. Nothing is released; the spec of a point
    makes its release.

    >>> people = shoal.generate("census", 300)
    >>> result = shoal.frontier(people, quasi=["age", "sex"], sweep={"k": [2, 5, 10]},
    ...                         methods=["mondrian"], limits={"highest_risk": 0.2})
    >>> [point.requirement for point in result]
    ['k 2', 'k 5', 'k 10']
    >>> result.recommended.requirement
    'k 5'
    >>> release = shoal.anonymize(people, spec=result.recommended.spec)
    """
    given: dict[str, Any] = dict(settings)
    if sweep is not None:
        given["frontier_sweep"] = sweep
    if methods is not None:
        given["frontier_methods"] = [methods] if isinstance(methods, str) else list(methods)
    if axes is not None:
        given["frontier_axes"] = axes
    for name, most in (limits or {}).items():
        if f"frontier_max_{name}" not in keywords_of("frontier"):
            known = [k[len("frontier_max_"):] for k in keywords_of("frontier") if k.startswith("frontier_max_")]
            raise InvalidError(f"There is no limit {name!r}; there are {', '.join(known)}.")
        given[f"frontier_max_{name}"] = most
    arguments = _bound("frontier", spec, given)
    return cast(Frontier, _run(Frontier, "frontier", arguments, original=data, progress=progress,
                               show_values=show_values))


# --- Queries. ---------------------------------------------------------------------------------


@_takes_settings
def query(
    release: Union[Release, TableLike],
    query: str,
    *,
    original: Optional[TableLike] = None,
    sensitive_table: Optional[TableLike] = None,
    estimator: Optional[str] = None,
    spec: Optional[SpecLike] = None,
    progress: Progress = False,
    show_values: bool = False,
    **settings: Unpack[Arguments],
) -> Answer:
    """Answer a query from a release, as its readers would; with the original, tell how far that is off.

    For many questions, open a :class:`Session`.

    >>> people = shoal.generate("census", 1000)
    >>> release = shoal.anonymize(people, k=5, quasi=["age", "sex"], method="mondrian")
    >>> answer = shoal.query(release, "COUNT WHERE age < 40 AND sex = Female", original=people)
    >>> abs(answer.estimate - answer.exact) < 20
    True
    """
    arguments = _bound("query", _own_spec(spec, release), settings)
    return cast(Answer, _run(Answer, "query", arguments, original=original, release=release,
                             sensitive_table=sensitive_table, progress=progress, show_values=show_values,
                             query=query, estimator=estimator))


class Session:
    """Many questions to one release, which is read and indexed once.

    >>> people = shoal.generate("census", 1000)
    >>> release = shoal.anonymize(people, k=5, quasi=["age", "sex"], method="mondrian")
    >>> session = shoal.Session(release, original=people)
    >>> session.ask("COUNT WHERE age < 40").exact
    401.0
    >>> session.workload("xu-count", queries=50).error < 0.5
    True

    Any number of threads may ask it.
    """

    def __init__(
        self,
        release: Union[Release, TableLike],
        *,
        original: Optional[TableLike] = None,
        estimator: Optional[str] = None,
        spec: Optional[SpecLike] = None,
        show_values: bool = False,
        **settings: Unpack[Arguments],
    ) -> None:
        arguments = _bound("query", _own_spec(spec, release), settings)
        rows = as_release(release, show_values=show_values)
        first = None if original is None else _read(original, arguments, show_values)
        self._spec = arguments
        self._show_values = show_values
        with calling(show_values=show_values) as options:
            self._handle: _core.SessionHandle = _core.run(
                options, "session", spec=arguments._handle, release=rows._handle,
                table=first._handle if first is not None else None, estimator=estimator)

    def ask(self, query: str) -> Answer:
        """One question."""
        with calling(show_values=self._show_values) as options:
            _, facts = _core.run(options, "ask", session=self._handle, query=query)
        return cast(Answer, _finish(Answer, facts, None, self._spec))

    def workload(
        self,
        kind: str = "xu-count",
        *,
        queries: int = 0,
        columns: Optional[Sequence[str]] = None,
        sum: Optional[str] = None,
        dimensions: int = 0,
        selectivity: float = 0.0,
        progress: Progress = False,
    ) -> Answer:
        """Many random questions ("xu-count", "xu-sum" or "lili"): how far the answers are off."""
        many = (kind, queries, None if columns is None else ",".join(columns), sum, dimensions,
                selectivity, None)
        with calling(progress, self._show_values) as options:
            _, facts = _core.run(options, "ask_workload", session=self._handle, workload=many)
        return cast(Answer, _finish(Answer, facts, None, self._spec))


# --- Tables. ----------------------------------------------------------------------------------


@overload
def generate(kind: str, records: int, *, output: PathLike, seed: int = ..., dimensions: int = ...,
             sigma: float = ..., progress: Progress = ...) -> None: ...


@overload
def generate(kind: str, records: int, *, output: None = ..., seed: int = ..., dimensions: int = ...,
             sigma: float = ..., progress: Progress = ...) -> Table: ...


def generate(
    kind: str,
    records: int,
    *,
    output: Optional[PathLike] = None,
    seed: int = 1,
    dimensions: int = 0,
    sigma: float = 0.0,
    progress: Progress = False,
) -> Optional[Table]:
    """A synthetic table: "census", "payments", "uniform" or "gaussian", in memory or as a CSV file.

    >>> shoal.generate("census", 1000)
    <shoal.Table: 1000 records, 10 columns>
    """
    for name, value in (("records", records), ("seed", seed), ("dimensions", dimensions)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name} is a whole number; got {type(value).__name__}.")
        if not 0 <= value < 2**63 or (name == "dimensions" and value > 2**31):
            raise InvalidError(f"{name} is a whole number of at least 0; got {value}.")
    with calling(progress) as options:
        made = _core.generate(options, kind, records, seed, dimensions, sigma, _path_or_none(output))
    return None if made is None else Table(made, "path")
