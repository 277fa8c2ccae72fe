"""Charts as coordinates, which templates draw as SVG. Each stands beside a table of the same numbers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import RowMapping

from ace.routing.calibration import ReliabilityBin

WIDTH: Final = 600
HEIGHT: Final = 160
MINUTES: Final = 60
SERIES: Final = ("gatekeeper", "expert")
SMALLEST_DOT: Final = 5
LARGEST_DOT: Final = 18


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


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Line:
    """A line over shares from 0 to 1, marks on it, and the value at the top of its scale."""

    path: str
    marks: list[Point]
    top: float


def line(points: Iterable[Point], marks: Iterable[Point], *, top: float | None = None) -> Line:
    """A line through points (x, y) from the left to the right; y goes from 0 to `top`, or to a round number
    that no point exceeds."""
    ordered, marked = sorted(points), list(marks)
    highest = top or _ceiling(max(y for _, y in [*ordered, *marked]))

    def at(x: float, y: float) -> Point:
        return round(WIDTH * x, 1), round(HEIGHT * (1 - y / highest), 1)

    steps = (f"{x} {y}" for x, y in (at(*point) for point in ordered))
    return Line(f"M{' L'.join(steps)}", [at(*mark) for mark in marked], highest)


def _ceiling(value: float) -> float:
    """The next number up with one digit, or two if it begins with 1: 0.113 becomes 0.12, 0.28 becomes 0.3."""
    if value <= 0:
        return 1.0
    size = 10.0 ** math.floor(math.log10(value))
    step = size / 10 if value < 2 * size else size
    return round(math.ceil(round(value / step, 6)) * step, 12)


class Dot(NamedTuple):
    """A mark whose area grows with the claims behind it; `size` is its diameter in pixels."""

    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """The share of claims that is defective by the probability that was given, with the bins behind it."""

    line: Line
    dots: list[Dot]
    rows: Sequence[ReliabilityBin]


def reliability(bins: Sequence[ReliabilityBin]) -> Reliability | None:
    """The chart of these bins; None if there are none."""
    if not bins:
        return None
    drawn = line(points := [(one.predicted, one.observed) for one in bins], points, top=1.0)
    most = max(one.n for one in bins)
    dots = [
        Dot(x, y, round(max(SMALLEST_DOT, LARGEST_DOT * (one.n / most) ** 0.5), 1))
        for (x, y), one in zip(drawn.marks, bins, strict=True)
    ]
    return Reliability(drawn, dots, bins)
