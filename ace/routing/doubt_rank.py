"""Doubt as a person reads it: the share of claims that are less doubtful, and from which share they escalate.

A score of doubt has a unit of its own, and one record's number says nothing beside another's. The curve of a
record knows how the doubts of its claims are spread, so each doubt has a rank among them. Programs get the
number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, isfinite, log
from typing import Final, NamedTuple

import numpy as np

from ace.routing.calibration import Calibration
from ace.routing.scores import Score

HIGHEST: Final[Mapping[Score, float]] = {
    "u": log(2),
    "h6": log(6),
    "margin": 1.0,
    "error": 1.0,
    "learned": 1.0,
    "gain": 1.0,
}
"""The maximum of each score of doubt: a tau of it, or above, asks no expert."""

NO_EXPERT: Final = "this record asks no expert"


class Words(NamedTuple):
    """How a score of doubt is worded: among the claims of its calibration, below all of them, above all."""

    among: str
    lowest: str
    highest: str
    legend: str


_DOUBT: Final = Words(
    "more doubtful than {} % of claims",
    "among the {} % least doubtful claims",
    "more doubtful than every claim of its calibration",
    "the share of the calibration’s claims that are less doubtful",
)
_GAIN: Final = Words(
    "an expert would help more here than with {} % of claims",
    "among the {} % of claims with which an expert would help least",
    "an expert would help more here than with any claim of its calibration",
    "the share of the calibration’s claims with which an expert would help less",
)


def words_of(record: Calibration) -> Words:
    """How the doubt of a record is worded. A record of `gain` does not say how unsure the gatekeeper is, but
    how much an expert would help."""
    return _GAIN if record.score == "gain" else _DOUBT


@dataclass(frozen=True, slots=True)
class Scale:
    """How the doubts of a record's claims are spread: `knots` are pairs of a doubt and the share of the
    claims whose doubt is not above it, both ascending. `escalates_from` is that share at tau, None if nothing
    escalates."""

    tau: float
    knots: tuple[tuple[float, float], ...]
    escalates_from: float | None

    @classmethod
    def of(cls, record: Calibration) -> "Scale":
        """The scale of a record, from its curve and its tau."""
        escalating = record.tau < HIGHEST[record.score]
        shares = {point.tau: 1 - point.escalation for point in record.curve}
        if escalating:
            shares[record.tau] = 1 - record.escalation
        return cls(record.tau, tuple(sorted(shares.items())), shares[record.tau] if escalating else None)

    @property
    def from_percent(self) -> int | None:
        """The share from which claims escalate, in whole per cent."""
        return None if self.escalates_from is None else round(100 * self.escalates_from)

    def percent_below(self, doubt: float) -> int:
        """The share of claims that are less doubtful, in whole per cent. Claims that do not escalate are
        below `from_percent`, the others are not."""
        doubts, shares = zip(*self.knots, strict=True)
        percent = min(99, floor(100 * float(np.interp(doubt, doubts, shares, left=0.0)) + 1e-9))
        bound = self.from_percent
        if bound is None:
            return percent
        return max(percent, bound) if doubt > self.tau else max(0, min(percent, bound - 1))


def rank_words(record: Calibration | None, doubt: float, tau: float, score: str | None) -> str:
    """A doubt and what it leads to, in words; without its record, on which side of the bound it lies."""
    if record is None or len(record.curve) < 2:
        side = "more" if doubt > tau else "not more"
        bound = (
            NO_EXPERT if _never(tau, score) else f"{side} doubtful than the bound from which claims escalate"
        )
        return f"{bound} (raw doubt {doubt:.3f}, bound {tau:.3f})"
    return f"{_rank(record, doubt)}; {bound_words(record)}"


def bound_words(record: Calibration) -> str:
    """From where claims escalate, in words."""
    percent = Scale.of(record).from_percent
    if percent is None:
        return NO_EXPERT
    return f"claims escalate from {percent} %" if percent else "every claim escalates"


def rank_cell(record: Calibration | None, doubt: float, tau: float) -> str:
    """A doubt in a column of a table: "83 %", or without its record the side of the bound."""
    if record is None or len(record.curve) < 2:
        return "above bound" if doubt > tau else "below bound"
    scale = Scale.of(record)
    return f"{scale.percent_below(doubt)} %" if doubt > scale.knots[0][0] else _lowest(scale, "≤ {} %")


def _rank(record: Calibration, doubt: float) -> str:
    scale, words = Scale.of(record), words_of(record)
    if not isfinite(doubt) or doubt > scale.knots[-1][0]:
        return words.highest
    if doubt <= scale.knots[0][0]:
        return _lowest(scale, words.lowest)
    return words.among.format(scale.percent_below(doubt))


def _lowest(scale: Scale, words: str) -> str:
    return words.format(max(1, round(100 * scale.knots[0][1])))


def _never(tau: float, score: str | None) -> bool:
    return any(name == score and tau >= highest for name, highest in HIGHEST.items())
