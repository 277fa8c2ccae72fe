"""Charts as coordinates, which templates draw as SVG. Each stands beside a table of the same numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import RowMapping

WIDTH: Final = 600
HEIGHT: Final = 160
MINUTES: Final = 60
SERIES: Final = ("gatekeeper", "expert")


class Box(NamedTuple):
    """A rectangle of a chart, in its units from the top left; `series` is its colour."""

    x: float
    y: float
    width: float
    height: float
    series: str


@dataclass(frozen=True, slots=True)
class Columns:
    """Claims by minute, one column each, the series on top of one another."""

    boxes: list[Box]
    most: int  # claims in the highest column
    rows: list[tuple[datetime, dict[str, int]]]  # minutes in which anything was decided


def columns(counted: Iterable[RowMapping], now: datetime) -> Columns:
    """The last hour before `now`, of rows with `minute`, `decided_by` and `count`."""
    first = now.replace(second=0, microsecond=0) - timedelta(minutes=MINUTES - 1)
    by_minute: dict[datetime, dict[str, int]] = {}
    for row in counted:
        by_minute.setdefault(row["minute"], dict.fromkeys(SERIES, 0))[row["decided_by"]] = row["count"]
    most = max((sum(each.values()) for each in by_minute.values()), default=0)
    boxes = []
    step = WIDTH / MINUTES
    for minute, each in by_minute.items():
        place, base = (minute - first).total_seconds() / 60 * step, float(HEIGHT)
        for series in SERIES:
            height = HEIGHT * each[series] / most
            base -= height
            if height:
                boxes.append(Box(round(place, 2), round(base, 2), step - 1, round(height, 2), series))
    return Columns(boxes, most, sorted(by_minute.items()))


@dataclass(frozen=True, slots=True)
class Line:
    """Points joined by a line, the mark of a chosen one, and the values at the ends of both axes."""

    path: str
    mark: tuple[float, float]
    left: float
    right: float
    top: float


def line(
    points: Sequence[tuple[float, float]], chosen: tuple[float, float], *, top: float | None = None
) -> Line:
    """A line through points (x, y) from the left to the right, over a scale of y from 0 to `top`."""
    ordered = sorted(points)
    left, right = ordered[0][0], ordered[-1][0]
    highest = top or max(y for _, y in [*ordered, chosen]) or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        return round(WIDTH * (x - left) / (right - left or 1), 1), round(HEIGHT * (1 - y / highest), 1)

    steps = (f"{x} {y}" for x, y in (at(*point) for point in ordered))
    return Line(f"M{' L'.join(steps)}", at(*chosen), left, right, highest)
