"""How well a score of doubt keeps errors off the fast path, with intervals by family.

`doubt` and `wrong` have shape (N,): rows are kept in the order of growing doubt, and `wrong` says
where the call would be an error. Rows of equal doubt count as if shuffled: expected values, so that no
figure depends on the order of a file. numpy only.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace_lab.measures.metrics import BINS

Floats = NDArray[np.float64]
DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and the bounds between which it lies in `level` of the bootstrap draws."""

    value: float
    low: float
    high: float
    level: float = 0.95


def risk_coverage(doubt: NDArray[np.floating], wrong: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Coverage k/N and the share of errors among the k least doubtful rows, k = 1 to N; (N,) each.

    Geifman & El-Yaniv 2017. Raises ValueError without rows.
    """
    errors = _errors_kept(doubt, wrong)
    kept = np.arange(1, len(errors) + 1)
    return kept / len(errors), errors / kept


def aurc(doubt: NDArray[np.floating], wrong: NDArray[np.bool_]) -> float:
    """Area under the risk-coverage curve: the mean selective risk over all coverages; lower is better."""
    return float(risk_coverage(doubt, wrong)[1].mean())


def e_aurc(doubt: NDArray[np.floating], wrong: NDArray[np.bool_]) -> float:
    """AURC above that of a score which puts all errors last (Geifman, Uziel & El-Yaniv 2019)."""
    return aurc(doubt, wrong) - aurc(np.asarray(wrong, dtype=np.float64), wrong)


def augrc(doubt: NDArray[np.floating], wrong: NDArray[np.bool_]) -> float:
    """Area under the generalised risk-coverage curve (Traub et al. 2024, arXiv 2407.01032).

    The generalised risk at coverage k/N is the share of all N rows that are kept and wrong: an
    undetected failure counts the same at every coverage. By trapezoids, from coverage 0.
    """
    errors = np.concatenate([[0.0], _errors_kept(doubt, wrong)]) / len(wrong)
    return float((errors[1:] + errors[:-1]).mean() / 2)


def deferral_error(
    doubt: NDArray[np.floating], wrong: NDArray[np.bool_], expert_wrong: NDArray[np.bool_]
) -> float:
    """Share of wrong verdicts of gatekeeper and expert together, mean over all escalation shares.

    At each share the most doubtful rows are the expert's. Unlike AURC it takes the expert
    into account: escalating what the expert gets wrong too gains nothing (Jitkrittum et al. 2023). Lower is
    better.
    """
    lost = np.asarray(wrong, dtype=np.float64) - expert_wrong
    kept = np.concatenate([[0.0], _errors_kept(doubt, lost)]) / len(wrong)
    return float(np.mean(expert_wrong) + (kept[1:] + kept[:-1]).mean() / 2)


def equal_mass_ece(probability: NDArray[np.floating], truth: NDArray[np.bool_], bins: int = BINS) -> float:
    """ECE over bins that hold the same number of rows each (Nguyen & O'Connor 2015)."""
    order = np.argsort(probability, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [abs(float(np.mean(probability[part]) - np.mean(truth[part]))) * len(part) for part in parts]
    return sum(gaps) / len(order)


def brier(probability: NDArray[np.floating], truth: NDArray[np.bool_]) -> float:
    """Mean squared distance of a probability from what happened, 0 to 1 (Brier 1950)."""
    return float(np.mean((np.asarray(probability, dtype=np.float64) - truth) ** 2))


def nll(p: NDArray[np.floating], labels: NDArray[np.integer]) -> float:
    """Mean negative log-likelihood in nats of class indices (N,) under p (N, 6)."""
    of_label = np.asarray(p, dtype=np.float64)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(of_label, 1e-12)).mean())


def spearman(first: NDArray[np.floating], second: NDArray[np.floating]) -> float:
    """Rank correlation of two scores, ties sharing their mean rank; NaN if one is constant."""
    ranks = np.stack([_ranks(first), _ranks(second)])
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    scale = np.sqrt((centred**2).sum(axis=1).prod())
    return float(centred.prod(axis=0).sum() / scale) if scale > 0 else float("nan")


def bootstrap(
    statistic: Callable[..., float],
    families: NDArray[Any],
    *values: NDArray[Any],
    draws: int = DRAWS,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """`statistic(*values)` with a percentile interval from resampling whole families.

    `values` are arrays of N rows and `families` their N family ids: rows of one family resemble one
    another, so families, not rows, are drawn with replacement. For a paired difference of two
    scores, give a statistic that takes both and subtracts. Draws on which it is no number (a class
    is missing) are left out.
    """
    _, index = np.unique(families, return_inverse=True)
    order = np.argsort(index, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(index))[:-1])
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(draws):
        drawn = rng.integers(0, len(members), len(members))
        rows = np.concatenate([members[one] for one in drawn])
        found.append(statistic(*(value[rows] for value in values)))
    sound = np.asarray(found)[np.isfinite(found)]
    outside = (1 - level) / 2
    low, high = np.quantile(sound, [outside, 1 - outside]) if len(sound) else (np.nan, np.nan)
    return Interval(float(statistic(*values)), float(low), float(high), level)


@dataclass(frozen=True, slots=True)
class Ranking:
    """How well one score ranks: its areas, its AUGRC less that of the reference score (drawn in pairs),
    its rank correlation with plain confidence and, where there is an expert, the deferral error and
    that less the reference's."""

    aurc: Interval
    e_aurc: Interval
    augrc: Interval
    augrc_less_reference: Interval
    spearman: float
    deferral: Interval | None = None
    deferral_less_reference: Interval | None = None


def compare(
    doubts: Mapping[str, NDArray[np.floating]],
    wrong: NDArray[np.bool_],
    families: NDArray[Any],
    *,
    reference: str,
    confidence: NDArray[np.floating],
    expert_wrong: NDArray[np.bool_] | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Ranking]:
    """The ablation over scores: `doubts` has shape (N,) arrays by name, `reference` is one of them,
    `confidence` (N,) what each is rank-correlated with, `expert_wrong` (N,) the expert's errors."""

    def interval(statistic: Callable[..., float], *values: NDArray[Any]) -> Interval:
        return bootstrap(statistic, families, *values, wrong, draws=draws, seed=seed)

    def less(one: NDArray[Any], other: NDArray[Any], errors: NDArray[np.bool_]) -> float:
        return augrc(one, errors) - augrc(other, errors)

    def with_expert(one: NDArray[Any], expert: NDArray[np.bool_], errors: NDArray[np.bool_]) -> float:
        return deferral_error(one, errors, expert)

    def less_with_expert(
        one: NDArray[Any], other: NDArray[Any], expert: NDArray[np.bool_], errors: NDArray[np.bool_]
    ) -> float:
        return with_expert(one, expert, errors) - with_expert(other, expert, errors)

    def ranking(doubt: NDArray[np.floating]) -> Ranking:
        base = doubts[reference]
        asked = expert_wrong
        return Ranking(
            interval(aurc, doubt),
            interval(e_aurc, doubt),
            interval(augrc, doubt),
            interval(less, doubt, base),
            spearman(doubt, confidence),
            None if asked is None else interval(with_expert, doubt, asked),
            None if asked is None else interval(less_with_expert, doubt, base, asked),
        )

    return {name: ranking(doubt) for name, doubt in doubts.items()}


def _errors_kept(doubt: NDArray[np.floating], wrong: NDArray[Any]) -> Floats:
    """Expected errors (or losses) among the k least doubtful rows, k = 1 to N; those of a tie spread
    evenly over it."""
    if len(doubt) == 0:
        raise ValueError("a risk-coverage curve needs at least one row")
    _, tie, sizes = np.unique(doubt, return_inverse=True, return_counts=True)
    share = np.bincount(tie, weights=np.asarray(wrong, dtype=np.float64)) / sizes
    found: Floats = np.cumsum(np.repeat(share, sizes))
    return found


def _ranks(values: NDArray[np.floating]) -> Floats:
    _, tie, sizes = np.unique(values, return_inverse=True, return_counts=True)
    found: Floats = (np.cumsum(sizes) - (sizes - 1) / 2)[tie]
    return found
