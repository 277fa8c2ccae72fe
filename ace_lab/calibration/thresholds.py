"""The policies that choose tau from a calibration split, and what each of them promises.

A policy gets the rows at hand (`rows`) and the rows of other families that the score was fitted on
(`earlier`). It returns tau, its parameters, and a promise in one sentence.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from ace.routing.calibration import Parameter
from ace.routing.score import Floats
from ace_lab.calibration.guarantee import Error, RoutingRows, Target, counted, widest_safe
from ace_lab.calibration.routing_curve import tau_for

NEVER = 1.0
"""A tau that no gain exceeds."""

DRAWS = 1_000

MAX_ESCALATED = 0.95
"""The paper's gamma goes up to 1, but then the fast path keeps no claim to compute an F1 of."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """tau, how it was found, and what it promises."""

    tau: float
    method: str
    promise: str
    parameters: Mapping[str, Parameter]


class Policy(Protocol):
    """A way to choose tau."""

    @property
    def name(self) -> str:
        """As in records and on the command line."""

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        """tau for these rows. Raises ValueError if there is none."""


@dataclass(frozen=True, slots=True)
class Quantile:
    """Escalates the share `escalation` (0.2 in the paper)."""

    name: ClassVar[str] = "quantile"
    escalation: float = 0.2

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        tau = tau_for(rows.doubt, self.escalation)
        share = _percent((rows.doubt > tau).mean())
        promise = (
            f"Of claims like these {len(rows)}, about {share} go to the expert; nothing is promised "
            "about errors."
        )
        return Threshold(tau, f"the {1 - self.escalation:g} quantile of doubt", promise, asdict(self))


@dataclass(frozen=True, slots=True)
class MoneyBudget:
    """As much escalation as `usd_per_million` pays for, at given prices per call and per screening."""

    name: ClassVar[str] = "budget"
    usd_per_million: float
    usd_per_call: float
    usd_per_million_screened: float = 0.0

    def __post_init__(self) -> None:
        _need_positive(usd_per_million=self.usd_per_million, usd_per_call=self.usd_per_call)

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        left = self.usd_per_million - self.usd_per_million_screened
        if left < 0:
            raise ValueError(
                f"usd_per_million {self.usd_per_million:g} does not pay for the gatekeeper, which costs "
                f"{self.usd_per_million_screened:g}"
            )
        affordable = left / (1e6 * self.usd_per_call)
        tau = _tau_within(rows, affordable)
        share = float((rows.doubt > tau).mean())
        spent = self.usd_per_million_screened + share * 1e6 * self.usd_per_call
        promise = (
            f"A million claims like these {len(rows)} cost about ${spent:,.0f}, the expert examining "
            f"{_percent(share)} of them; nothing is promised about errors."
        )
        return Threshold(tau, "the largest share that the budget pays for", promise, asdict(self))


@dataclass(frozen=True, slots=True)
class RateBudget:
    """As much escalation as an expert with `calls_per_hour` can handle."""

    name: ClassVar[str] = "budget"
    calls_per_hour: float
    claims_per_hour: float

    def __post_init__(self) -> None:
        _need_positive(calls_per_hour=self.calls_per_hour, claims_per_hour=self.claims_per_hour)

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        tau = _tau_within(rows, self.calls_per_hour / self.claims_per_hour)
        share = float((rows.doubt > tau).mean())
        promise = (
            f"At {self.claims_per_hour:g} claims an hour like these {len(rows)}, the expert is called about "
            f"{share * self.claims_per_hour:,.0f} times an hour; nothing is promised about errors."
        )
        return Threshold(tau, "the largest share that the expert keeps up with", promise, asdict(self))


@dataclass(frozen=True, slots=True)
class FLambda:
    """The paper's: gamma* = argmax F(gamma) - lambda gamma (§4.2), F being the F1 of what is kept."""

    name: ClassVar[str] = "f-lambda"
    weight: float

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        taus, gamma, f1 = retained_f1(rows)
        merit = np.where(gamma <= MAX_ESCALATED, f1 - self.weight * gamma, -np.inf)
        best = len(merit) - 1 - int(np.argmax(merit[::-1]))  # of equals, the one that escalates least
        promise = (
            f"On these {len(rows)} claims, gamma* = {_percent(gamma[best])} escalated is the best of "
            f"F1 - {self.weight:g} gamma, with F1 {f1[best]:.4f} on the fast path: an estimate, no guarantee."
        )
        return Threshold(
            float(taus[best]), "argmax of F(gamma) - lambda gamma", promise, {"lambda": self.weight}
        )


@dataclass(frozen=True, slots=True)
class Risk:
    """At most `alpha` errors on the fast path, with confidence 1 - `delta`."""

    name: ClassVar[str] = "risk"
    alpha: float
    delta: float = 0.05
    error: Error = "any"

    def __post_init__(self) -> None:
        for name, share in (("alpha", self.alpha), ("delta", self.delta)):
            if not 0 < share < 1:
                raise ValueError(f"{name} must lie between 0 and 1, not {share:g}")

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        found = widest_safe(rows, earlier, alpha=self.alpha, delta=self.delta, error=self.error)
        what = (
            "claims that the fast path decides are decided wrongly"
            if self.error == "any"
            else "claims that the fast path passes are defective"
        )
        promise = (
            f"With confidence {_percent(1 - self.delta)}, at most {_percent(self.alpha)} of the {what}, for "
            f"claims drawn as these {len(rows)} were ({_percent(rows.invalid.mean())} defective); nothing is "
            "promised for others."
        )
        parameters = {
            **asdict(self),
            "bound": round(found.upper, 6),
            "kept": found.n,
            "errors": found.errors,
            "design_effect": round(found.design_effect, 4),
        }
        return Threshold(found.tau, "Clopper-Pearson, fixed-sequence testing", promise, parameters)


@dataclass(frozen=True, slots=True)
class Agreement:
    """As few claims to the expert as keep the verdicts of both together at what the expert alone would say:
    at least `level` of them, or of its Fails, or of theirs, with confidence 1 - `delta`.

    Needs the expert's opinions on a sample of claims, and nobody's labels. The setting is that of BARGAIN
    (Zeighami et al. 2025, arXiv:2509.02896); the tests are those of `Risk`, from the lowest tau upwards.
    """

    name: ClassVar[str] = "agreement"
    target: Target
    level: float = 0.9
    delta: float = 0.05

    def __post_init__(self) -> None:
        if self.target not in get_args(Target):
            raise ValueError(f"target must be accuracy, precision or recall, not {self.target}")
        for name, share in (("level", self.level), ("delta", self.delta)):
            if not 0 < share < 1:
                raise ValueError(f"{name} must lie between 0 and 1, not {share:g}")

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        del earlier
        if rows.expert_wrong is None:
            raise ValueError("policy agreement needs the opinions of an expert")
        told = replace(rows, invalid=rows.invalid ^ rows.expert_wrong)
        found = widest_safe(told, None, alpha=1 - self.level, delta=self.delta, error=self.target)
        what = {
            "accuracy": "verdicts of gatekeeper and expert together are those of the expert alone",
            "precision": "claims that gatekeeper and expert together fail are failed by the expert alone",
            "recall": "claims that the expert alone fails are failed by gatekeeper and expert together",
        }[self.target]
        promise = (
            f"With confidence {_percent(1 - self.delta)}, at least {_percent(self.level)} of the {what}, for "
            f"claims drawn as the {len(rows)} that it was asked about; nothing is promised about the truth."
        )
        parameters = {**asdict(self), "bound": round(1 - found.upper, 6), "asked": len(rows)}
        return Threshold(found.tau, "Clopper-Pearson, fixed-sequence testing", promise, parameters)


@dataclass(frozen=True, slots=True)
class Gain:
    """Escalates a claim if the expert's expected gain, times `value`, exceeds the cost of a call.

    `value` is what avoiding one wrong verdict is worth, `usd_per_call` what an examination costs, in the
    same currency. Only with score "gain".
    """

    name: ClassVar[str] = "gain"
    value: float
    usd_per_call: float

    def __post_init__(self) -> None:
        _need_positive(value=self.value, usd_per_call=self.usd_per_call)

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        tau = self.usd_per_call / self.value
        share = float((rows.doubt > tau).mean())
        promise = (
            f"A claim goes up where the expert is expected to be right more often than the gatekeeper by "
            f"more than {tau:.4g}, which pays for the call: {_percent(share)} of claims like these "
            f"{len(rows)}; an expectation, no guarantee."
        )
        return Threshold(tau, "expected gain x value > cost of a call", promise, asdict(self))


@dataclass(frozen=True, slots=True)
class Pays:
    """Escalates a claim if the expert is more likely to be right than the gatekeeper, and no claim at all
    unless both together make fewer errors than the gatekeeper alone, a missed defect counting as the record's
    stakes say. Only with score "gain".

    The test is a one-sided bootstrap over families at level `delta`, on rows that the score was not fitted
    on.
    """

    name: ClassVar[str] = "pays"
    delta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.delta < 1:
            raise ValueError(f"delta must lie between 0 and 1, not {self.delta:g}")

    def find(self, rows: RoutingRows, earlier: RoutingRows) -> Threshold:
        if rows.expert_wrong is None:
            raise ValueError("policy pays needs the opinions of an expert")
        up = rows.doubt > 0.0
        errors = counted(rows.invalid, rows.stakes)
        saved = errors * np.where(up, rows.wrong.astype(float) - rows.expert_wrong, 0.0)
        least = _lower_mean(saved, rows.families, self.delta)
        parameters: dict[str, Parameter] = {
            "delta": self.delta,
            "gatekeeper_wrong": round(float((errors * rows.wrong).mean()), 6),
            "expert_wrong": round(float((errors * rows.expert_wrong).mean()), 6),
            "together_wrong": round(float((errors * rows.wrong).mean() - saved.mean()), 6),
            "saved_at_least": round(least, 6),
        }
        method = "expected gain above 0, if it holds on other rows,"
        if least <= 0:
            return Threshold(
                NEVER,
                method,
                f"This expert is not asked: on {len(rows)} claims, asking it did not improve on the verdicts "
                "of the gatekeeper.",
                parameters,
            )
        promise = (
            "A claim goes to this expert if the expert is more likely to be right than the gatekeeper: "
            f"{_percent(up.mean())} of claims like these {len(rows)}. That corrects {_percent(saved.mean())} "
            f"of all verdicts, on balance{_at_stake(rows.stakes)}."
        )
        return Threshold(0.0, method, promise, parameters)


def _lower_mean(values: Floats, families: NDArray[Any], delta: float) -> float:
    """The lower bound of the mean, with confidence 1 - delta, if whole families are drawn anew."""
    _, index = np.unique(families, return_inverse=True)
    sums, counts = np.bincount(index, weights=values), np.bincount(index)
    drawn = np.random.default_rng(0).integers(len(sums), size=(DRAWS, len(sums)))
    return float(np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), delta))


def retained_f1(rows: RoutingRows) -> tuple[Floats, Floats, Floats]:
    """Every tau among the doubts, ascending, the share gamma that it escalates, and the F1 of class
    Fail among the rows it keeps (0 where none of them is defective or called so); (K,) each."""
    order = np.argsort(rows.doubt, kind="stable")
    doubt, called, invalid = rows.doubt[order], rows.called[order], rows.invalid[order]
    ends = np.flatnonzero(np.diff(doubt, append=np.inf) > 0)  # rows of equal doubt stay together
    hits = np.cumsum(called & invalid)[ends]
    marked = (np.cumsum(called) + np.cumsum(invalid))[ends]
    return doubt[ends], 1.0 - (ends + 1) / len(rows), 2 * hits / np.maximum(marked, 1)


def _tau_within(rows: RoutingRows, share: float) -> float:
    if share >= 1:
        raise ValueError("the budget pays for examining every claim, so no tau is needed")
    return tau_for(rows.doubt, share)


def _need_positive(**amounts: float) -> None:
    for name, amount in amounts.items():
        if not (amount > 0 and np.isfinite(amount)):
            raise ValueError(f"{name} must be a positive number, not {amount:g}")


def _at_stake(stakes: float) -> str:
    return "" if stakes == 1 else f", a missed defect counting as {stakes:.2g} false alarms"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
