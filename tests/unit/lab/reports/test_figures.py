"""Figures: written twice they are the same bytes, and they show what they were given."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from matplotlib.figure import Figure

from ace_lab.reports import figures
from ace_lab.reports.figures import Mark

RNG = np.random.default_rng(1)
DOUBT, WRONG = np.sort(RNG.random(900)), RNG.random(900) < np.linspace(0, 0.4, 900)
SHARES = [0.0, 0.2, 0.4]


def risk_coverage() -> Figure:
    doubts = {"u": DOUBT, "h6": DOUBT[::-1].copy()}
    return figures.risk_coverage_figure(doubts, WRONG, tau=Mark(0.8, "tau 0.5"))


def reliability() -> Figure:
    return figures.reliability_figure(DOUBT, WRONG)


def escalation() -> Figure:
    return figures.escalation_figure(SHARES, {"hybrid": [0.9, 0.95, 0.97]}, tau=Mark(0.2, "tau 0.5"))


def cost() -> Figure:
    return figures.cost_figure([0, 1000, 2000], {"hybrid": [0.9, None, 0.97]}, tau=Mark(0, "tau 0.5"))


EVERY = pytest.mark.parametrize("make", [risk_coverage, reliability, escalation, cost])


@EVERY
def test_the_same_bytes_every_time(make: Callable[[], Figure], tmp_path: Path) -> None:
    first, second = (figures.save(make(), tmp_path / name) for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.svg", "two.svg"]


@EVERY
def test_svg_is_xml_without_a_date_on_a_white_ground(make: Callable[[], Figure], tmp_path: Path) -> None:
    svg = figures.save(make(), tmp_path / "figure")
    assert ET.parse(svg).getroot().tag.endswith("svg")  # noqa: S314 - our own file
    written = svg.read_text()
    assert "dc:date" not in written
    assert "fill: #ffffff" in written  # the ground, whatever page it lies on


def test_tau_lies_on_the_first_curve() -> None:
    axes = risk_coverage().axes[0]
    dot = next(line for line in axes.lines if len(line.get_xdata()) == 1)
    kept = WRONG[: round(0.8 * 900)].mean()
    assert dot.get_xdata()[0] == 0.8
    assert dot.get_ydata()[0] == pytest.approx(kept)
    assert "tau 0.5" in {text.get_text() for text in axes.texts}


def test_a_score_is_told_by_colour_and_by_dashes() -> None:
    lines = [line for line in risk_coverage().axes[0].lines if len(line.get_xdata()) > 2]
    assert len({line.get_color() for line in lines}) == len({line.get_linestyle() for line in lines}) == 2
