"""Reports and releases in notebooks: figures and names, never the content of a cell."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

_STYLE = "border-collapse:collapse;font-size:0.9em"


def escape(text: object) -> str:
    return html.escape(str(text))


def table(rows: Iterable[Sequence[object]], head: Sequence[object] = ()) -> str:
    """A small table of texts and numbers."""
    parts = [f'<table style="{_STYLE}">']
    if head:
        parts.append("<tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in head) + "</tr>")
    for row in rows:
        parts.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>")
    return "".join([*parts, "</table>"])


def box(title: str, *parts: str) -> str:
    return f'<div class="shoal"><b>{escape(title)}</b>{"".join(parts)}</div>'


def verdict(asked: str, holds: bool) -> str:
    mark, color = ("✓", "#1a7f37") if holds else ("✗", "#cf222e")
    return f'<div style="color:{color}">{mark} {escape(asked)}</div>'


def warning(message: str) -> str:
    return f'<div style="color:#9a6700">⚠ {escape(message)}</div>'


def spec(yaml: str) -> str:
    return box("Spec", f"<pre>{escape(yaml)}</pre>")
