"""Claims in the rows of a table, as Markdown writes one: "| 1 | A lamp comprising a base. |".

The first column has the numbers. The text is in the second, or in the one whose heading says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ace.claims.readers.markers import Marker, single
from ace.claims.readers.source import Span

_RULE: Final = re.compile(
    r"^[^\S\n]*+\|?(?:[^\S\n]*+:?-++:?[^\S\n]*+\|)+(?:[^\S\n]*+:?-++:?)?[^\S\n]*+$", re.MULTILINE
)
_ROW: Final = re.compile(
    r"^[^\S\n]*+\|[^\S\n]*+(?P<number>(?:\*\*)?(?:[Cc]laim[^\S\n]++)?[0-9]{1,4}[.)]?(?:\*\*)?)[^\S\n]*+\|(?P<cells>[^\n]+)$",
    re.MULTILINE,
)
_CELL: Final = re.compile(r"[^|\n]++")
_WORDED: Final = frozenset(
    {"text", "claim text", "claim language", "language", "wording", "claim", "text of the claim"}
)


class Table(NamedTuple):
    """The claims of a table: markers, each from the row to its text, and what is no text of them."""

    claims: list[Marker]
    marks: list[Span]
    left_out: list[Span]


def table(text: str) -> Table | None:
    """The claims of the first table of `text`; None without one, or without a column that is their text."""
    rule = _RULE.search(text)
    head = text.rfind("\n", 0, max(0, rule.start() - 1)) + 1 if rule else 0
    if rule is None or "|" not in text[head : rule.start()]:
        return None
    column = _column(text[head : rule.start()])
    rows = list(_ROW.finditer(text, rule.end()))
    if column is None or not rows:
        return None
    read = Table([], [(head, rule.end())], [])
    for row in rows:
        cells = list(_cells(text, row))
        if column >= len(cells):
            return None
        start, end = cells[column]
        read.claims.append(single(int("".join(filter(str.isdecimal, row["number"]))), row.start(), start))
        read.marks.append((end, row.end()))
        read.left_out.extend(cell for index, cell in enumerate(cells) if index != column)
    return read


def _column(head: str) -> int | None:
    """Which cell after that of the number has the text of a claim."""
    names = [cell.strip(" *\n").lower() for cell in _CELL.findall(head) if cell.strip()][1:]
    if len(names) == 1:
        return 0
    return next((index for index, name in enumerate(names) if name in _WORDED), None)


def _cells(text: str, row: re.Match[str]) -> Iterator[Span]:
    for cell in _CELL.finditer(text, *row.span("cells")):
        if cell.group().strip():
            yield cell.span()
