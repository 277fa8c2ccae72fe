"""Whether claims still look like those of the calibration split: PSI, KS, and a band for the doubtful share.

Pure. A day drifts in a characteristic if the difference is too large to be chance and large enough to matter.
Claims of one filing resemble each other, so a day of N claims says less than N independent ones would: every
test counts the effective number, N divided by the design effect (Kish 1965, Survey Sampling, section 8.2).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.routing.calibration import Calibration
from ace.routing.reference import Bins

LEVEL: Final = 1e-4
"""The probability of an alarm by chance, of each characteristic on each day."""
LARGE: Final = 0.1
"""The population stability index from which a difference matters (Siddiqi 2006, Credit Risk Scorecards)."""
FEWEST: Final = 100
"""Effective claims, below which a day says nothing."""


class Characteristic(StrEnum):
    """What is compared with the calibration record."""

    SCORE = "score"  # the doubt
    LENGTH = "length"  # estimated tokens of a claim with its ancestors
    CLASS = "class"  # that the gatekeeper calls
    SHARE = "share"  # of claims whose doubt is above tau


@dataclass(frozen=True, slots=True)
class Day:
    """The claims that one model with one calibration screened of a day's filings.

    `score` and `length` are counts by the bins of the record, or of a reference without such bins empty;
    `classes` counts by label. `doubtful` claims have a doubt above tau; those that rules escalate as well are
    not among them. `decided` claims have the gatekeeper's verdict. `effects` are the design effects.
    """

    claims: int
    doubtful: int
    decided: int
    score: Sequence[int]
    length: Sequence[int]
    classes: Mapping[str, int]
    effects: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a characteristic of a day differs from the reference. `p` is the probability of a difference at
    least as large by chance. Of `SHARE`, `psi` and `ks` are None, and `low` to `high` is the band."""

    characteristic: Characteristic
    drifts: bool
    p: float
    psi: float | None = None
    ks: float | None = None
    share: float | None = None
    low: float | None = None
    high: float | None = None


def score_bins(record: Calibration) -> Bins | None:
    """The reference of the doubt: the record's own bins, or in a record without them its curve, whose points
    are quantiles of doubt."""
    if record.reference is not None:
        return record.reference.score
    above = {point.escalation: point.tau for point in record.curve if 0 < point.escalation < 1}
    shares = sorted(above, reverse=True)
    if not shares:
        return None
    # A claim escalates above tau, and counts in the upper bin from the edge on.
    edges = [math.nextafter(above[share], math.inf) for share in shares]
    counts = -np.diff([record.n, *(round(share * record.n) for share in shares), 0])
    return Bins(tuple(edges), tuple(counts.tolist()))


def differences(record: Calibration, day: Day) -> list[Difference]:
    """How a day differs from the record in each characteristic that the record knows; none of a day with too
    few claims."""
    reference = record.reference
    found: list[tuple[Characteristic, Sequence[int], Sequence[int]]] = []
    score = score_bins(record)
    if score is not None and len(day.score) == len(score.counts):
        found.append((Characteristic.SCORE, score.counts, day.score))
    if reference is not None:
        found.append((Characteristic.LENGTH, reference.length.counts, day.length))
        expected = [reference.classes.get(label, 0) for label in LABELS]
        found.append((Characteristic.CLASS, expected, [day.classes.get(label, 0) for label in LABELS]))
    compared = [
        _compared(which, expected, seen, day.effects.get(which, 1.0))
        for which, expected, seen in found
        if sum(seen) / day.effects.get(which, 1.0) >= FEWEST
    ]
    if day.claims / day.effects.get(Characteristic.SHARE, 1.0) >= FEWEST:
        compared.append(_share(record, day))
    return compared


def _compared(
    which: Characteristic, expected: Sequence[int], seen: Sequence[int], effect: float
) -> Difference:
    effective = sum(seen) / effect
    found = psi(expected, seen)
    distance = ks(expected, seen)
    # Under no drift, the index is distributed as (1/n + 1/m) chi-squared (Yurdakul 2018).
    chance = chi_squared(found / (1 / sum(expected) + 1 / effective), len(expected) - 1)
    if which is not Characteristic.CLASS:  # classes have no order
        chance = min(1.0, 2 * min(chance, kolmogorov(distance, sum(expected), effective)))
    ordered = None if which is Characteristic.CLASS else distance
    return Difference(which, chance < LEVEL and found >= LARGE, chance, psi=found, ks=ordered)


def _share(record: Calibration, day: Day) -> Difference:
    effective = max(1, round(day.claims / day.effects.get(Characteristic.SHARE, 1.0)))
    share = day.doubtful / day.claims
    low, high = band(record, effective, LEVEL)
    at = round(share * effective)
    chances = share_probabilities(record, effective)
    chance = min(1.0, 2 * float(min(chances[: at + 1].sum(), chances[at:].sum())))
    return Difference(Characteristic.SHARE, not low <= share <= high, chance, share=share, low=low, high=high)


def psi(expected: Sequence[int], seen: Sequence[int]) -> float:
    """The population stability index of two histograms with the same bins, sum of (q - p) ln(q / p); half a
    claim is added to each bin, so that an empty one does not make it infinite."""
    p, q = _shares(expected, 0.5), _shares(seen, 0.5)
    return float(np.sum((q - p) * np.log(q / p)))


def ks(expected: Sequence[int], seen: Sequence[int]) -> float:
    """The Kolmogorov–Smirnov distance, taken at the edges of the bins: never more than the true one."""
    return float(np.abs(np.cumsum(_shares(expected)) - np.cumsum(_shares(seen))).max())


def _shares(counts: Sequence[int], more: float = 0.0) -> NDArray[np.float64]:
    found = np.asarray(counts, dtype=np.float64) + more
    return found / max(1.0, float(found.sum()))


def kolmogorov(distance: float, n: float, m: float) -> float:
    """P(D >= distance) of samples of n and m from one distribution (Stephens 1970); too large for binned
    values, so that a test errs on the quiet side."""
    root = math.sqrt(n * m / (n + m))
    at = (root + 0.12 + 0.11 / root) * distance
    if at < 0.2:
        return 1.0
    terms = ((2.0 if k % 2 else -2.0) * math.exp(-2 * (k * at) ** 2) for k in range(1, 101))
    return min(1.0, max(0.0, sum(terms)))


def chi_squared(value: float, freedom: int) -> float:
    """P(X >= value) of chi-squared, by its recurrence in the degrees of freedom."""
    half = value / 2
    if half <= 0 or freedom < 1:
        return 1.0
    found = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    for k in range(1 if freedom % 2 else 2, freedom - 1, 2):
        found += math.exp(k / 2 * math.log(half) - half - math.lgamma(k / 2 + 1))
    return min(1.0, found)


def share_probabilities(record: Calibration, claims: int) -> NDArray[np.float64]:
    """The probability of each number of doubtful ones, 0 to `claims`, among claims like those of the split.

    Exact for independent claims: tau is the score with k of n rows above it, so the share of all claims above
    it is distributed as Beta(k + 1, n - k) (Wilks 1941), and the count of a sample as a binomial over that.
    """
    above = round(record.escalation * record.n)
    a, b = above + 1.0, max(1.0, float(record.n - above))
    k = np.arange(claims, dtype=np.float64)
    steps = np.log(claims - k) - np.log(k + 1) + np.log(k + a) - np.log(claims - k - 1 + b)
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(logs - logs.max())
    found: NDArray[np.float64] = weights / weights.sum()
    return found


def band(record: Calibration, claims: int, level: float) -> tuple[float, float]:
    """Between which shares the doubtful ones lie in all but `level` of the samples of so many claims."""
    below = np.cumsum(share_probabilities(record, claims))
    low = int(np.searchsorted(below, level / 2))
    high = int(np.searchsorted(below, 1 - level / 2))
    return low / claims, min(high, claims) / claims


def design_effect(claims: int, having: int, squares: float) -> float:
    """By how much claims that come in filings vary more than independent ones, at least 1.

    `having` of the claims have a trait; `squares` is the sum over filings of (k - p n)^2, with n claims of
    which k have it, and p the share in all.
    """
    share = having / claims if claims else 0.0
    alone = claims * share * (1 - share)
    return max(1.0, squares / alone) if alone > 0 else 1.0
