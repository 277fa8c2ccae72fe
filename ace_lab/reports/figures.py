"""Figures of calibration and routing as SVG: the same numbers always give the same bytes.

The colours are from the palette of Okabe and Ito, which colour-blind readers can tell apart, and lines also
differ in their dashes. The background is white, so that a figure reads the same on a dark page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from numpy.typing import NDArray

from ace_lab.measures.metrics import BINS, reliability_bins
from ace_lab.measures.selective import risk_coverage

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
GREY = "#595959"
MOST_POINTS = 400

_STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "svg.hashsalt": "ace",
    "svg.fonttype": "path",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A point to mark on a curve: where, and in which words."""

    x: float
    text: str


def risk_coverage_figure(
    doubts: Mapping[str, NDArray[np.floating]], wrong: NDArray[np.bool_], *, tau: Mark | None = None
) -> Figure:
    """Errors among the claims that the fast path decides, by how many it decides; a line per score.

    `doubts` has scores of shape (N,) by name; `tau` marks a coverage on the first of them.
    """
    figure, axes = _one_plot("share of claims decided on the fast path", "share of them decided wrongly")
    top = 0.0
    for at, (name, doubt) in enumerate(doubts.items()):
        coverage, risk = risk_coverage(doubt, wrong)
        shown = _thinned(len(coverage))
        axes.plot(coverage[shown], risk[shown], color=COLOURS[at], linestyle=DASHES[at], label=name)
        top = max(top, float(risk[shown].max()))
        if tau is not None and at == 0:
            _mark(axes, tau, float(np.interp(tau.x, coverage, risk)))
    axes.set_xlim(0, 1)
    axes.set_ylim(0, top * 1.15 or 0.01)
    _in_percent(axes)
    axes.legend(loc="upper left")
    return figure


def reliability_figure(
    probability: NDArray[np.floating], truth: NDArray[np.bool_], *, bins: int = BINS
) -> Figure:
    """How often claims are defective, by the probability that the gatekeeper gives it; (N,) each.

    Above: bins of equal width, each dot's area after the claims in it. Below: how many there are.
    """
    with rc_context(_STYLE):
        figure = Figure(figsize=(5.2, 5.2), layout="constrained")
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    found = reliability_bins(probability, truth, bins)
    said, seen = [one.predicted for one in found], [one.observed for one in found]
    counts = np.array([one.n for one in found])
    middles = [(one.low + one.high) / 2 for one in found]
    upper.plot([0, 1], [0, 1], color=GREY, linestyle=":", label="calibrated")
    upper.plot(said, seen, color=COLOURS[0])
    upper.scatter(
        said, seen, s=20 + 120 * counts / counts.max(), color=COLOURS[0], label="gatekeeper", clip_on=False
    )
    upper.set_ylabel("share that is defective")
    upper.set_ylim(-0.03, 1.03)
    upper.legend(loc="upper left")
    lower.bar(middles, counts, width=0.9 / bins, color=COLOURS[0])
    lower.set_xlim(0, 1)
    lower.set_xlabel("probability of a defect, P_inv")
    lower.set_ylabel("claims")
    return figure


def escalation_figure(
    escalation: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    ylabel: str = "F1 of class Fail",
    tau: Mark | None = None,
) -> Figure:
    """One or more figures of merit by the share of claims that goes to the expert; tau marked."""
    figure, axes = _one_plot("share of claims escalated to the expert", ylabel)
    for at, (name, values) in enumerate(lines.items()):
        shown = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        axes.plot(escalation, shown, color=COLOURS[at], linestyle=DASHES[at], label=name, marker=".")
        if tau is not None and at == 0:
            _mark(axes, tau, float(np.interp(tau.x, escalation, shown)))
    _in_percent(axes, y=False)
    axes.legend(loc="best")
    return figure


def cost_figure(
    usd_per_million: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    ylabel: str = "F1 of class Fail",
    tau: Mark | None = None,
) -> Figure:
    """One or more figures of merit by what a million claims cost; tau marked."""
    figure, axes = _one_plot("cost of a million claims in US dollars", ylabel)
    for at, (name, values) in enumerate(lines.items()):
        shown = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        axes.plot(usd_per_million, shown, color=COLOURS[at], linestyle=DASHES[at], label=name, marker=".")
        if tau is not None and at == 0:
            _mark(axes, tau, float(np.interp(tau.x, usd_per_million, shown)))
    axes.xaxis.set_major_formatter(lambda value, _: f"${value:,.0f}")
    axes.legend(loc="best")
    return figure


def roc_figure(points: Sequence[tuple[float, float]]) -> Figure:
    """The ROC curve through (share of sound claims failed, share of defective claims found)."""
    figure, axes = _one_plot("sound claims failed", "defective claims found")
    axes.plot([0, 1], [0, 1], color=GREY, linestyle=":", label="chance")
    axes.plot(*zip(*points, strict=True), color=COLOURS[0], label="gatekeeper, by P_inv")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    _in_percent(axes)
    axes.legend(loc="lower right")
    return figure


def save(figure: Figure, path: Path) -> Path:
    """Writes `path`.svg, under a temporary name first; returns where it is."""
    target = path.with_name(f"{path.name}.svg")
    unfinished = target.with_name(f"{target.name}.tmp")
    with rc_context(_STYLE):
        FigureCanvasSVG(figure).print_figure(
            str(unfinished), format="svg", facecolor="white", metadata={"Date": None, "Creator": "ace"}
        )
    unfinished.replace(target)
    return target


def _one_plot(xlabel: str, ylabel: str) -> tuple[Figure, Axes]:
    with rc_context(_STYLE):
        figure = Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.subplots()
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    return figure, axes


def _mark(axes: Axes, mark: Mark, y: float) -> None:
    """A dot on the curve, a line through it, and the words above the plot, where no curve runs."""
    axes.axvline(mark.x, color=GREY, linestyle=":", linewidth=1.2)
    axes.plot([mark.x], [y], marker="o", markersize=7, color=GREY, zorder=3)
    low, high = axes.get_xlim()
    place = (mark.x - low) / (high - low)
    axes.annotate(
        mark.text,
        (mark.x, 1.02),
        xycoords=("data", "axes fraction"),
        ha="left" if place < 0.25 else "right" if place > 0.75 else "center",
        color=GREY,
    )


def _thinned(n: int) -> NDArray[np.intp]:
    """At most MOST_POINTS of n positions, the last among them; the first hundredth is left out,
    where a risk of a handful of claims jumps about."""
    found: NDArray[np.intp] = np.unique(np.linspace(n // 100, n - 1, min(n, MOST_POINTS)).astype(np.intp))
    return found


def _in_percent(axes: Axes, *, y: bool = True) -> None:
    for axis in (axes.xaxis, axes.yaxis) if y else (axes.xaxis,):
        axis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
