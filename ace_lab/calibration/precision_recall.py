"""Precision against recall of the findings at every threshold: worked out, chosen from, drawn.

Precision depends on how many defects there are to find, so every point is told at an assumed
prevalence: defects per claim, by class.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from ace.claims.taxonomy import ErrorClass

ALL = "all"

_COLORS = {
    ALL: "#222222",
    "antecedent": "#c0392b",
    "dependency": "#2471a3",
    "logical": "#7d3c98",
    "ambiguity": "#b9770e",
    "syntax": "#1e8449",
}
_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 440" font-family="sans-serif" font-size="12" '
    'role="img" aria-label="Precision against recall of findings, by class">'
)
_WIDTH, _HEIGHT, _LEFT, _TOP, _SIDE = 640, 440, 64, 28, 360


@dataclass(frozen=True, slots=True)
class Point:
    """What is let through at one threshold. `told` are findings per granted set, false or not."""

    threshold: float
    precision: float
    recall: float
    findings_per_set: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Points by class (and "all"), every line over the same thresholds in rising order."""

    lines: Mapping[str, tuple[Point, ...]]

    def at(self, threshold: float) -> dict[str, Point]:
        """The points of all lines at one of the curve's thresholds."""
        return {name: next(p for p in line if p.threshold == threshold) for name, line in self.lines.items()}


def curve_of(
    reported: Mapping[ErrorClass, Sequence[tuple[float, float]]],
    best: Mapping[ErrorClass, Sequence[float]],
    prevalence: Mapping[ErrorClass, float],
    *,
    sets: int,
    claims: int,
) -> Curve:
    """From the findings on `claims` granted claims in `sets` sets, each a confidence and the chance that it
    is a false alarm, and the best confidence at each injected defect (0 where it was missed). Raises
    ValueError without sets."""
    if not sets:
        raise ValueError("a curve needs claim sets")
    thresholds = _thresholds(reported, best)
    classes = {
        each: _ClassCurve.of(
            reported.get(each, ()), best.get(each, ()), prevalence.get(each, 0.0), thresholds
        )
        for each in ErrorClass
    }
    lines: dict[str, tuple[Point, ...]] = {}
    for name, members in ((ALL, tuple(ErrorClass)), *((each.value, (each,)) for each in ErrorClass)):
        chosen = [classes[each] for each in members]
        expected = sum(one.expected for one in chosen)
        points = []
        for at, threshold in enumerate(thresholds):
            true = sum(one.found[at] for one in chosen)
            claimed = true + sum(one.false[at] for one in chosen) / claims
            number = sum(one.over[at] for one in chosen)
            points.append(
                Point(
                    threshold,
                    precision=true / claimed if claimed else 1.0,
                    recall=true / expected if expected else 0.0,
                    findings_per_set=number / sets,
                )
            )
        lines[name] = tuple(points)
    return Curve(lines)


@dataclass(frozen=True, slots=True)
class _ClassCurve:
    """One class: the defects per claim that could be `found` and, at each threshold, those found, the
    false alarms and the findings reported. A class without injected defects expects none."""

    expected: float
    found: list[float]
    false: list[float]
    over: list[float]

    @classmethod
    def of(
        cls,
        reported: Sequence[tuple[float, float]],
        best: Sequence[float],
        prevalence: float,
        thresholds: Sequence[float],
    ) -> _ClassCurve:
        hits = _sums_above(((p, 1.0) for p in best), thresholds)
        return cls(
            expected=prevalence if best else 0.0,
            found=[prevalence * hit / len(best) if best else 0.0 for hit in hits],
            false=_sums_above(reported, thresholds),
            over=_sums_above(((p, 1.0) for p, _ in reported), thresholds),
        )


def _thresholds(
    reported: Mapping[ErrorClass, Sequence[tuple[float, float]]], best: Mapping[ErrorClass, Sequence[float]]
) -> list[float]:
    """Every confidence that occurs, ascending."""
    confidences = chain(
        (p for each in reported.values() for p, _ in each), (p for each in best.values() for p in each)
    )
    return sorted({round(p, 4) for p in confidences if p > 0})


def threshold_of(curve: Curve, *, antecedent_limit: float) -> float:
    """The lowest threshold that keeps the antecedent findings per granted set within the limit.

    Raises ValueError where none does.
    """
    allowed = [
        point.threshold for point in curve.lines["antecedent"] if point.findings_per_set <= antecedent_limit
    ]
    if not allowed:
        raise ValueError("no threshold keeps the limit")
    return min(allowed)


def drawn(curve: Curve, threshold: float) -> str:
    """The curve as an SVG image, the chosen threshold marked on every line."""
    marks = curve.at(threshold)
    rows = [_HEAD, f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>', *_axes()]
    aside = _LEFT + _SIDE + 24
    for at, (name, line) in enumerate(curve.lines.items()):
        color, width, mark, y = _COLORS[name], 2.5 if name == ALL else 1.5, marks[name], _TOP + 20 + at * 40
        points = " ".join(_place(point) for point in line)
        cx, cy = _place(mark).split(",")
        said = f"precision {mark.precision:.2f}, recall {mark.recall:.2f}"
        rows += [
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="{width}"/>',
            f'<circle cx="{cx}" cy="{cy}" r="4" fill="{color}"/>',
            f'<text x="{aside}" y="{y}" fill="{color}">{name}</text>',
            f'<text x="{aside}" y="{y + 15}" fill="#555555">{said}</text>',
        ]
    y = _TOP + 20 + len(curve.lines) * 40
    rows.append(f'<text x="{aside}" y="{y}" fill="#555555">dots: threshold {threshold:.2f}</text>')
    return "\n".join([*rows, "</svg>"]) + "\n"


def _axes() -> Iterable[str]:
    yield f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888888"/>'
    for tenth in range(0, 11, 2):
        x, y = _LEFT + _SIDE * tenth / 10, _TOP + _SIDE * (1 - tenth / 10)
        yield f'<text x="{x:.0f}" y="{_TOP + _SIDE + 18}" text-anchor="middle">{tenth / 10:.1f}</text>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.0f}" text-anchor="end">{tenth / 10:.1f}</text>'
        yield f'<path d="M{x:.0f} {_TOP}v{_SIDE}M{_LEFT} {y:.0f}h{_SIDE}" stroke="#e5e5e5" fill="none"/>'
    middle = _TOP + _SIDE / 2
    yield f'<text x="{_LEFT + _SIDE / 2:.0f}" y="{_TOP + _SIDE + 40}" text-anchor="middle">recall</text>'
    yield f'<text transform="translate(20 {middle:.0f}) rotate(-90)" text-anchor="middle">precision</text>'


def _place(point: Point) -> str:
    return f"{_LEFT + _SIDE * point.recall:.1f},{_TOP + _SIDE * (1 - point.precision):.1f}"


def _sums_above(weighted: Iterable[tuple[float, float]], thresholds: Sequence[float]) -> list[float]:
    """For each of the rising thresholds the weight of the values at or above it."""
    ranked = sorted((round(value, 4), weight) for value, weight in weighted)
    behind = [0.0, *accumulate(weight for _, weight in reversed(ranked))]
    values = [value for value, _ in ranked]
    return [behind[len(values) - bisect_left(values, threshold)] for threshold in thresholds]
