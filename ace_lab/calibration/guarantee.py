"""A threshold that keeps errors on the fast path rare, with a stated confidence.

Learn then Test (Angelopoulos et al. 2021) with split fixed-sequence testing: the thresholds and their order
come from rows of other families (`earlier`), so that every hypothesis is fixed before it is tested on the
rows at hand. Testing stops at the first failure, so no correction for multiple tests is needed. Each test is
the exact binomial bound of Clopper and Pearson.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

STEPS = 100
"""Thresholds tried: the percentiles of doubt of the earlier rows."""

Target = Literal["accuracy", "precision", "recall"]
"""What of the verdicts of gatekeeper and expert together may be promised to agree with the expert alone."""

Error = Literal["any", "false-pass"] | Target
"""The errors that are counted, and among what. "any": wrong calls among the claims that the fast path
decides; "false-pass": defective claims among those that it passes. The rest are errors of both together,
which are never made where the expert decides: among all claims; wrong Fails among all Fails; wrong Passes
among the defective claims."""


@dataclass(frozen=True, slots=True)
class RoutingRows:
    """N rows to route: doubt, the gatekeeper's call (True: Fail), truth and family, each of shape (N,), and
    where the expert is wrong, if it was asked. A missed defect counts as `stakes` false alarms."""

    doubt: NDArray[np.float64]
    called: NDArray[np.bool_]
    invalid: NDArray[np.bool_]
    families: NDArray[Any]
    expert_wrong: NDArray[np.bool_] | None = None
    stakes: float = 1.0

    def __len__(self) -> int:
        return len(self.doubt)

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Where the call is an error, shape (N,)."""
        found: NDArray[np.bool_] = self.called != self.invalid
        return found


def counted(invalid: NDArray[np.bool_], stakes: float) -> NDArray[np.float64]:
    """What an error on each row counts, shape (N,); 1 on average."""
    weights = np.where(invalid, stakes, 1.0)
    found: NDArray[np.float64] = weights / weights.mean()
    return found


@dataclass(frozen=True, slots=True)
class Bound:
    """The rows kept at tau: `errors` among `n`, the upper bound on their share, and how much the resemblance
    of rows within families reduces the effective n (Kish's design effect)."""

    tau: float
    n: int
    errors: int
    upper: float
    design_effect: float


class NoThreshold(ValueError):
    """No threshold can promise the requested rate; `least_alpha` is the lowest that could be promised."""

    def __init__(self, message: str, least_alpha: float) -> None:
        super().__init__(message)
        self.least_alpha = least_alpha


def clopper_pearson(errors: float, n: float, delta: float) -> float:
    """Upper bound on an error rate with confidence 1 - delta, after `errors` errors in n trials.

    Clopper & Pearson 1934. Neither needs to be an integer, so that n may be an effective sample size
    (Korn & Graubard 1998). 1 without trials.
    """
    from scipy.special import betaincinv

    if n <= 0 or errors >= n:
        return 1.0
    return float(betaincinv(errors + 1.0, n - errors, 1.0 - delta))


def intraclass_correlation(wrong: NDArray[np.bool_], families: NDArray[Any]) -> float:
    """How much errors within a family resemble one another: 0 not at all, 1 completely.

    Estimated by a one-way analysis of variance; 1 if that is impossible (no errors, only errors, or no family
    of two rows), so that uncertainty costs sample size and never confidence.
    """
    _, index, sizes = np.unique(families, return_inverse=True, return_counts=True)
    n, groups = len(wrong), len(sizes)
    if groups < 2 or n == groups or not 0 < wrong.sum() < n:
        return 1.0
    means = np.bincount(index, weights=wrong.astype(float)) / sizes
    between = float((sizes * (means - wrong.mean()) ** 2).sum()) / (groups - 1)
    within = float(((wrong - means[index]) ** 2).sum()) / (n - groups)
    typical = (n - float((sizes**2).sum()) / n) / (groups - 1)
    correlation = (between - within) / (between + (typical - 1) * within)
    return min(max(correlation, 0.0), 1.0)


def design_effect(families: NDArray[Any], correlation: float) -> float:
    """Kish 1965: how many of these rows carry as much information as one independent row; at least 1."""
    sizes = np.unique(families, return_counts=True)[1]
    if len(sizes) == 0:
        return 1.0
    met = float((sizes**2).sum() / sizes.sum())  # the mean size of a row's family
    return 1.0 + (met - 1.0) * correlation


def bound_at(tau: float, rows: RoutingRows, *, error: Error, delta: float, correlation: float) -> Bound:
    """The bound on the share of errors at tau."""
    kept = rows.doubt <= tau
    among, wrong = {
        "any": (kept, kept),
        "false-pass": (kept & ~rows.called, kept),
        "accuracy": (np.ones_like(kept), kept),
        "precision": (np.where(kept, rows.called, rows.invalid), kept & rows.called),
        "recall": (rows.invalid, kept & ~rows.called),
    }[error]
    n, errors = int(among.sum()), int((rows.wrong & among & wrong).sum())
    effect = design_effect(rows.families[among], correlation)
    return Bound(tau, n, errors, clopper_pearson(errors / effect, n / effect, delta), effect)


def widest_safe(
    rows: RoutingRows, earlier: RoutingRows | None, *, alpha: float, delta: float, error: Error
) -> Bound:
    """The largest tau whose error is at most alpha with confidence 1 - delta.

    `earlier` are rows of other families than `rows`, and say where to start. None starts at the lowest tau,
    which makes the fewest errors if gatekeeper and expert together are to be right. Raises NoThreshold, which
    names n and what could be promised, if the first test fails.
    """
    known = rows if earlier is None else earlier
    correlation = intraclass_correlation(known.wrong, known.families)
    grid = np.unique(np.quantile(known.doubt, np.arange(1, STEPS + 1) / STEPS, method="higher")).tolist()

    def bound(of: RoutingRows, tau: float) -> Bound:
        return bound_at(tau, of, error=error, delta=delta, correlation=correlation)

    start = 0 if earlier is None else int(np.argmin([bound(earlier, tau).upper for tau in grid]))
    passed = None
    for tau in grid[start:]:
        tested = bound(rows, tau)
        if tested.upper > alpha:
            break
        passed = tested
    if passed is None:
        first = bound(rows, grid[start])
        raise NoThreshold(
            f"no tau can promise an error rate of at most {alpha:.4g} with confidence {1 - delta:.4g}: "
            f"of {len(rows)} claims, the {first.n} least doubtful contain {first.errors} errors; "
            f"the lowest alpha that could be promised is {first.upper:.4f}",
            first.upper,
        )
    return passed
