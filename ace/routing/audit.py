"""How often the gatekeeper is wrong, from verdicts that were drawn at random and judged by people.

Pure. Each fast verdict is drawn with a known probability, and a label counts by its inverse (Horvitz and
Thompson 1952). The bounds hold at every time at once, so that one may look every day: they are a confidence
sequence by betting (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting",
section 4) on the weighted errors, as in "Active, anytime-valid risk controlling prediction sets" (arXiv
2406.10490).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ace.routing.calibration import Calibration

DELTA: Final = 0.01
"""The probability that a bound is ever wrong, and so of an alarm while errors are within what is
tolerated."""
MEMORY_DAYS: Final = 5
"""Bets follow the errors of so many days, so that they notice when errors become more frequent."""
RATES: Final = np.concatenate([np.arange(1, 200) / 1_000, np.arange(20, 100) / 100])
"""The error rates that are tried as bounds."""
_STAKE: Final = 0.5  # the largest part of what a bet could lose


@dataclass(frozen=True, slots=True)
class AuditedDay:
    """`verdicts` of the gatekeeper on a day, of which `drawn` were drawn. `labels` has for each that
    people have judged the probability with which it was drawn, and whether the verdict is wrong. Those
    that nobody has judged yet count as right, so that the lower bound errs on the quiet side."""

    verdicts: int
    drawn: int
    labels: Sequence[tuple[float, bool]]


@dataclass(frozen=True, slots=True)
class Audited:
    """The share of wrong verdicts: the estimate, None without labels, and its bounds; `high` is None as
    long as somebody still has to judge. `alarm_day` is the first day, from 0, at whose end the lower bound
    was above what is tolerated; None if none was."""

    drawn: int
    labels: int
    estimate: float | None
    low: float
    high: float | None
    tolerated: float
    alarm_day: int | None


def audited(days: Sequence[AuditedDay], tolerated: float, *, delta: float = DELTA) -> Audited:
    """What the days in their order show. Bets of a day follow from earlier days alone."""
    smallest = min((p for day in days for p, _ in day.labels), default=1.0)
    rising, falling = np.zeros(len(RATES)), np.zeros(len(RATES))  # logarithms of what the bets have won
    most_rising, most_falling = rising.copy(), falling.copy()
    at_tolerated, alarm, past = 0.0, None, list[tuple[int, float, float]]()
    bound = np.append(RATES, tolerated)
    for number, day in enumerate(days):
        won = _won(day, past[-MEMORY_DAYS:], bound, smallest)
        rising, falling = rising + won[0][:-1], falling + won[1][:-1]
        at_tolerated += float(won[0][-1])
        most_rising, most_falling = np.maximum(most_rising, rising), np.maximum(most_falling, falling)
        if alarm is None and at_tolerated >= math.log(1 / delta):
            alarm = number
        weighted = [smallest / p for p, wrong in day.labels if wrong]
        past.append((day.verdicts, sum(weighted), sum(each * each for each in weighted)))
    weights = [(1 / p, wrong) for day in days for p, wrong in day.labels]
    total = sum(weight for weight, _ in weights)
    limit = math.log(2 / delta)  # each side of the interval has half of the probability
    too_low, too_high = RATES[most_rising >= limit], RATES[most_falling >= limit]
    drawn = sum(day.drawn for day in days)
    return Audited(
        drawn=drawn,
        labels=len(weights),
        estimate=sum(weight for weight, wrong in weights if wrong) / total if total else None,
        low=float(max(too_low, default=0.0)),
        high=float(min(too_high, default=1.0)) if len(weights) == drawn else None,
        tolerated=tolerated,
        alarm_day=alarm,
    )


def _won(
    day: AuditedDay, past: Sequence[tuple[int, float, float]], rates: NDArray[np.float64], smallest: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The logarithm of what a day's bets win, against each rate being too low, and against its being too
    high.

    A verdict counts as y = smallest / p if it was drawn with p and is wrong, and else as 0: with a mean of
    `smallest` times the error rate. A bet multiplies what there is by 1 + stake (y - mean).
    """
    seen = sum(each for each, _, _ in past)
    mean, square = (sum(row[i] for row in past) / seen if seen else 0.0 for i in (1, 2))
    means = rates * smallest
    spread = max(square - mean * mean, 1e-12)
    wish = (mean - means) / (spread + (mean - means) ** 2) if seen else np.zeros(len(rates))
    up = np.clip(wish, 0.0, _STAKE / means)
    down = np.clip(-wish, 0.0, _STAKE / np.maximum(1 - means, 1e-9))
    values = [smallest / p if wrong else 0.0 for p, wrong in day.labels]
    wins, losses = (
        (day.verdicts - len(values)) * np.log1p(-sign * stake * means)
        + sum((np.log1p(sign * stake * (value - means)) for value in values), np.zeros(len(rates)))
        for sign, stake in ((1, up), (-1, down))
    )
    return wins, losses


def tolerated(record: Calibration, alpha: float | None = None) -> float:
    """The share of wrong fast verdicts above which there is an alarm: `alpha` if somebody has set it, or what
    the policy of the record promises, or what its split lets expect at its escalation, with the error of such
    a sample added (its 95 % bound). 1 for a record that says none of it."""
    if alpha is not None:
        return alpha
    if record.policy == "risk" and record.parameters.get("error", "any") == "any":
        return float(record.parameters["alpha"])
    points = sorted(
        (point.escalation, 1 - point.accuracy) for point in record.curve if point.accuracy is not None
    )
    if not points:
        return 1.0
    shares, risks = (np.array(each) for each in zip(*points, strict=True))
    risk = float(np.interp(record.escalation, shares, risks))
    kept = max(1.0, record.n * (1 - record.escalation))
    return min(1.0, risk + 1.645 * math.sqrt(risk * (1 - risk) / kept))
