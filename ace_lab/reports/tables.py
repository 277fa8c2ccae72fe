"""The tables of an evaluation report, with every cell as text.

A report is one nested dict (report.json). Parts that are missing or have another shape are left out, so a
report of half a run shows that half. Columns with the paper's numbers are flagged as such.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
Form = Callable[[Any], str]

MISSING = "–"
PAPER_MARK = "†"


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell shows; `note` is smaller, an interval."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, where the value lies in a row ("hybrid.recall"), how it is written, whether it is the
    paper's, and where its interval lies."""

    title: str
    key: str
    form: Form
    paper: bool = False
    interval: str = ""

    @property
    def numeric(self) -> bool:
        """Whether the column is set flush right."""
        return self.form is not text


@dataclass(frozen=True, slots=True)
class Table:
    """Caption, headings and rows of cells."""

    caption: str
    columns: tuple[Column, ...]
    lines: tuple[tuple[Cell, ...], ...]

    @property
    def has_paper(self) -> bool:
        """Whether any number of it is the paper's."""
        return any(column.paper for column in self.columns)


def text(value: Any) -> str:
    """A value in words."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return plain(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(text(one) for one in value)
    return str(value)


def _number(write: Callable[[float], str]) -> Form:
    """Writes numbers; text stays, and what is no number is missing."""

    def form(value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return MISSING
        return write(value)

    return form


def _plain(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _seconds(value: float) -> str:
    if value >= 0.1:
        return f"{value:,.2f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-4 else f"{value * 1e6:.3g} µs"


plain = _number(_plain)
share = _number(lambda value: f"{100 * value:.2f} %")
points = _number(lambda value: f"{100 * value:+.1f} points")
drop = _number(lambda value: f"{100 * value:.1f} points")
small = _number(lambda value: f"{value:.4f}")
count = _number(lambda value: f"{value:,.0f}")
seconds = _number(_seconds)
dollars = _number(lambda value: f"${value:,.0f}" if value >= 10 else f"${value:,.2f}")

NAME = Column("judge", "name", text)
N = Column("n", "n", count)


def mapping(value: Any) -> Row:
    """The value if it is a mapping; a list counts as its rows."""
    if isinstance(value, Mapping):
        return value
    return {"rows": value} if isinstance(value, list | tuple) else {}


def rows(value: Any) -> list[Row]:
    """The mappings of a list, or under "rows" of a mapping."""
    listed = value.get("rows") if isinstance(value, Mapping) else value
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list | tuple) else []


def look_up(row: Row, key: str) -> Any:
    """The value at a path with dots, None if it leads nowhere."""
    found: Any = row
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def caption(title: str, about: Row, unit: str = "claims") -> str:
    """The title with n, its unit and the split, as far as the section says them."""
    said = []
    if isinstance(about.get("n"), int):
        said.append(f"n = {about['n']:,} {about.get('unit') or unit}")
    if about.get("split"):
        said.append(f"split: {text(about['split'])}")
    return f"{title} ({'; '.join(said)})" if said else title


def table(title: str, columns: Sequence[Column], own: Sequence[Row]) -> list[Table]:
    """One table, or none where there are no rows. Columns that no row fills are left out;
    one column is no table."""
    kept = tuple(column for column in columns if any(look_up(row, column.key) is not None for row in own))
    if len(kept) < 2:
        return []
    return [Table(title, kept, tuple(_line(kept, row) for row in own))]


def facts(title: str, found: Row, leave: Sequence[str] = ()) -> list[Table]:
    """A mapping as a table of two columns."""
    pairs = [
        {"what": key.replace("_", " "), "value": value}
        for key, value in found.items()
        if key not in leave and value not in (None, "", [], {})
    ]
    return table(title, [Column("", "what", text), Column("", "value", text)], pairs)


def _line(columns: Sequence[Column], row: Row) -> tuple[Cell, ...]:
    return tuple(Cell(column.form(look_up(row, column.key)), _interval(row, column)) for column in columns)


def _interval(row: Row, column: Column) -> str:
    found = look_up(row, column.interval or f"intervals.{column.key}")
    if not isinstance(found, list | tuple) or len(found) != 2:
        return ""
    low, high = (column.form(end).removesuffix(" %").removesuffix(" points") for end in found)
    return "" if MISSING in (low, high) else f"{low} to {high}"
