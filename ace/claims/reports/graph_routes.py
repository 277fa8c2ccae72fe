"""The ways of the arrows between the boxes of the drawn graph: beside and between boxes, never under one.

Boxes stand in columns. Between two columns is a gutter, in which lines run up and down; a line crosses a
column only between two of its boxes, or above or below all of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

GUTTER: Final = 70
_LANES: Final = 7  # of a gutter: arrows to different claims keep apart
_LANE: Final = 6
_BEND: Final = 5


class Placed(NamedTuple):
    """A box in a column: x is the same for the whole column."""

    column: int
    x: int
    y: int
    width: int
    height: int
    anchor: int  # the height at which lines begin and end


class Routes:
    """Ways between boxes that are placed already."""

    def __init__(self, boxes: Iterable[Placed]) -> None:
        rows: dict[int, list[tuple[int, int]]] = {}
        self._left: dict[int, int] = {}
        self._right: dict[int, int] = {}
        for box in boxes:
            rows.setdefault(box.column, []).append((box.y, box.y + box.height))
            self._left[box.column] = box.x
            self._right[box.column] = box.x + box.width
        self._crossings = {column: list(_crossings(sorted(each))) for column, each in rows.items()}

    def between(self, child: Placed, parent: Placed, *, lane: int, below: int = 0) -> str:
        """The way from a box to one that it points to, as the data of a path. It ends at the right side of
        the parent; it begins at the left side of a child in a later column, else at its right side.

        Lines with the same `lane` share the middles of gutters. `below` lowers both ends.
        """
        back = parent.column < child.column
        first = child.column if back else child.column + 1
        last = parent.column + 1
        start = child.x if back else child.x + child.width
        points = [(start, child.anchor + below)]
        at = first
        step = -1 if last < first else 1
        while at != last:
            column = at - 1 if step < 0 else at
            height = self._crossing(column, points[-1][1])
            across = self._across(column, step)
            points += [(self._middle(at, lane), height), (across, height)]
            at += step
        points += [
            (self._middle(last, lane), parent.anchor + below),
            (parent.x + parent.width, parent.anchor + below),
        ]
        return _drawn(points)

    def _middle(self, gutter: int, lane: int) -> int:
        """A vertical line of the gutter that is left of the column of the same number."""
        base = self._right[gutter - 1] + GUTTER // 2
        return base + (lane % _LANES - _LANES // 2) * _LANE

    def _across(self, column: int, step: int) -> int:
        """Where a line that has crossed a column comes out of it."""
        return self._left[column] if step < 0 else self._right[column]

    def _crossing(self, column: int, near: int) -> int:
        """A height at which a line can cross a column, as near as possible."""
        heights = self._crossings[column]
        at = bisect_left(heights, near)
        return min(heights[max(0, at - 1) : at + 1], key=lambda height: abs(height - near))


def _crossings(rows: list[tuple[int, int]]) -> Iterator[int]:
    """The heights between the boxes of a column, and those above and below all of them."""
    gap = 6
    yield rows[0][0] - gap
    for (_, bottom), (top, _) in pairwise(rows):
        yield (bottom + top) // 2
    yield rows[-1][1] + gap


def _drawn(points: list[tuple[int, int]]) -> str:
    """A line along the points, first level and then upright to each, with rounded corners."""
    corners = [points[0]]
    for x, y in points[1:]:
        before = corners[-1]
        if before[1] != y and before[0] != x:
            corners.append((x, before[1]))
        corners.append((x, y))
    way = [f"M{corners[0][0]} {corners[0][1]}"]
    for before, at, after in zip(corners, corners[1:], corners[2:], strict=False):
        near, far = _towards(at, before), _towards(at, after)
        way.append(f"L{near[0]} {near[1]} Q{at[0]} {at[1]} {far[0]} {far[1]}")
    way.append(f"L{corners[-1][0]} {corners[-1][1]}")
    return " ".join(way)


def _towards(at: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The point near `at` on the way to another one, at which a corner begins to bend."""
    x, y = (max(-_BEND, min(_BEND, (b - a) // 2)) for a, b in zip(at, other, strict=True))
    return at[0] + x, at[1] + y
