"""Keyword arguments of the calls and their types: columns, and every setting of a spec.

A setting ``privacy.k_map`` is the argument ``k_map``, ``output.numeric`` is ``output_numeric``: the key of a
spec with underscores, without ``privacy.`` and ``.action``. The extension knows the settings, so a new
one works before it is listed here; a test tells when it is not.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Union

from ._spec import HierarchyLike, Names
from ._table import PathLike, TableLike

if TYPE_CHECKING:
    from typing import Literal, TypedDict
else:
    from typing import TypedDict

#: A requirement: its parameter, a text with its kind ("distinct:3"), or a tuple of both ("distinct", 3).
Parameter = Union[float, str, "tuple[str, float]"]
#: One requirement, several in a list, or one for each sensitive column that a dict names.
Requirement = Union[Parameter, "list[Parameter]", "Mapping[str, Union[Parameter, list[Parameter]]]"]
#: Seconds, a text such as "2m", or a timedelta.
Time = Union[float, str, datetime.timedelta]


class Arguments(TypedDict, total=False):
    """What can be said of columns and privacy; the rest is in :class:`Settings`."""

    # Columns.
    quasi: Names
    sensitive: Names
    identifier: Names
    insensitive: Names
    person: Names
    hierarchies: Mapping[str, HierarchyLike]
    types: Mapping[str, Literal["auto", "string", "integer", "real", "date"]]
    weights: Mapping[str, float]
    populations: Mapping[str, HierarchyLike]
    grids: Mapping[str, Union[float, str]]
    decimals: Mapping[str, str]
    thousands: Mapping[str, str]
    date_formats: Mapping[str, str]
    top: Mapping[str, Union[float, str]]
    bottom: Mapping[str, Union[float, str]]
    round: Mapping[str, Union[float, str]]
    truncate: Mapping[str, Union[float, str]]
    generalize: Mapping[str, Union[float, str]]
    coarsest: Mapping[str, Union[float, str]]
    rename: Mapping[str, str]
    same: Mapping[str, Union[str, Collection[str]]]
    rare: Mapping[str, int]

    # Privacy.
    k: int
    k_column: str
    alpha: Requirement
    l: Requirement  # noqa: E741
    t: Requirement
    delta: Requirement
    beta: Requirement
    k_map: Requirement
    presence: Requirement
    population: Union[PathLike, TableLike]
    attacks: Union[str, Sequence[str]]
    previous: Union[PathLike, Sequence[PathLike]]

    # How.
    method: str
    effort: Literal["fast", "normal", "high"]
    time: Time
    suppress: float
    memory: Union[int, str]
    temporary: PathLike
    seed: int
    threads: int

    # Input.
    rest: Literal["drop", "release"]
    missing: Literal["error", "drop", "keep"]
    missing_tokens: Union[str, Sequence[str]]
    input_delimiter: str
    input_encoding: str
    input_skip_lines: int
    input_comment: str
    input_decimal: str
    input_thousands: str
    input_date_format: str
    missing_person: Literal["error", "own"]
    strict: bool
    accept: Union[str, Sequence[str]]
    grid: Union[float, str]

    # Output.
    output_numeric: Literal["range", "minmax", "mean", "median"]
    output_categorical: Literal["label", "set"]
    output_order: Literal["canonical", "keep"]
    output_cells: Literal["plain", "spreadsheet"]
    output_delimiter: str
    output_sensitive_table: PathLike

    # Measures, reports and risk.
    measure_figures: Union[str, Sequence[str]]
    measure_min_support: float
    measure_shape: Literal["classes", "records"]
    report_detail: Literal["short", "full"]
    report_access: Literal["private", "shared"]
    report_frontier: PathLike
    report_title: str
    report_author: str
    report_purpose: str
    report_date: str
    report_sign_off: Union[str, Sequence[str]]
    risk_thresholds: Union[float, Sequence[float]]
    risk_sampling_fraction: float
    attack_names: Union[str, Sequence[str]]
    attack_known: float
    attack_errors: float

    # Frontiers.
    frontier_sweep: Union[str, Mapping[str, Sequence[Parameter]]]
    frontier_methods: Union[str, "list[str]"]
    frontier_axes: Union[str, Sequence[str]]
    frontier_time: Time
    frontier_max_privacy_loss: float
    frontier_max_utility_loss: float
    frontier_max_gcp: float
    frontier_max_discernibility: float
    frontier_max_average_class_size: float
    frontier_max_distortion_ratio: float
    frontier_max_highest_risk: float
    frontier_max_query_error: float
    frontier_max_linkage: float
    frontier_max_matching: float
    frontier_max_definetti: float
