"""A judge's calls on a list of claims or claim sets, and its row of a table.

A judge calls one of the six classes for each case; some give probabilities too. In the hybrid the expert
decides every claim whose doubt is above tau; if the expert fails to answer, the gatekeeper decides and the
failure is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS, ErrorClass, Ground
from ace.routing.score import p_inv, p_valid, top_error
from ace_lab.experts.opinions import Opinion
from ace_lab.measures.metrics import auc, class_f1, confusion, f1, macro_f1, two_class

Called = NDArray[np.intp]
Floats = NDArray[np.float64]

AMONG = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """The classes called, shape (N,), the score of being invalid if there is one, shape (N,), and time and
    cost. `fields` are further columns of its row."""

    name: str
    called: Called
    invalid: Floats | None = None
    seconds_per_claim: float | None = None
    usd_per_million: float | None = None
    escalated: float | None = None
    fields: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Cases:
    """What is judged: the true classes and the families, each of shape (N,)."""

    labels: Called
    families: NDArray[np.intp]

    @classmethod
    def of(cls, labels: Sequence[str], families: Sequence[str]) -> Cases:
        """The cases of label and family names."""
        _, numbers = np.unique(np.asarray(families, dtype=str), return_inverse=True)
        return cls(np.asarray([LABELS.index(label) for label in labels], np.intp), numbers.astype(np.intp))

    def __len__(self) -> int:
        return len(self.labels)

    def of_only(self, chosen: NDArray[Any]) -> Cases:
        """The cases that a mask or an index selects."""
        return Cases(self.labels[chosen], self.families[chosen])


def class_of(p: Floats) -> Called:
    """The class that rows of probabilities (N, 6) call, as the fast path does: pass unless P_inv is
    above P_valid, else the likeliest error."""
    found: Called = np.where(p_inv(p) > p_valid(p), top_error(p), 0)
    return found


def class_of_opinion(opinion: Opinion | None, otherwise: int) -> int:
    """The class of an opinion; `otherwise` without an opinion, or for a Fail that names no class."""
    if opinion is None:
        return otherwise
    if not opinion.fail:
        return 0
    if opinion.error_class is None:
        return otherwise or 1
    return LABELS.index(opinion.error_class)


def hybrid_of(p: Floats, up: NDArray[np.bool_], opinions: Sequence[Opinion | None]) -> Called:
    """The gatekeeper's class, and the expert's where `up`. `opinions` covers all N claims; a Fail without
    a class gets the gatekeeper's likeliest error."""
    called, likeliest = class_of(p), top_error(p)
    for at in np.flatnonzero(up):
        opinion = opinions[int(at)]
        if opinion is not None:
            called[at] = class_of_opinion(opinion, int(likeliest[at]))
    return called


def resampled(cases: Cases, called: Called, resamples: int, seed: int) -> Floats:
    """Confusion matrices of bootstrap samples by family, shape (resamples, 6, 6)."""
    size, families = len(LABELS), int(cases.families.max(initial=-1)) + 1
    flat = (cases.families * size + cases.labels) * size + called
    counts = np.bincount(flat, minlength=families * size * size).reshape(families, size * size)
    weights = np.random.default_rng(seed).multinomial(families, np.full(families, 1 / families), resamples)
    return (weights @ counts).reshape(resamples, size, size).astype(np.float64)


def interval(values: NDArray[np.floating]) -> list[float] | None:
    """[low, high] of 95 % of the values that are numbers; None if none is."""
    sound = values[~np.isnan(values)]
    return [rounded(bound) for bound in np.quantile(sound, AMONG)] if len(sound) else None


def row(cases: Cases, judged: JudgeResult, resamples: int, seed: int) -> dict[str, Any]:
    """The judge's row of a table of results, with intervals by bootstrap over families."""
    counts = confusion(judged.called, cases.labels)
    drawn = resampled(cases, judged.called, resamples, seed)
    fail, both = two_class(counts)
    drawn_fail, drawn_both = two_class(drawn)
    invalid = cases.labels > 0
    scored = judged.invalid is not None and invalid.any() and not invalid.all()
    return {
        "name": judged.name,
        "n": len(cases),
        "accuracy": rounded(_accuracy(counts)),
        "macro_f1": rounded(macro_f1(counts)),
        "f1_fail": rounded(fail),
        "f1_pass_fail": rounded(both),
        **{f"f1_{ground.value}": rounded(f1_of_ground(cases, judged.called, ground)) for ground in Ground},
        "accuracy_pass_fail": rounded(((judged.called > 0) == invalid).mean()),
        "false_alarms": rounded((judged.called[~invalid] > 0).mean()) if (~invalid).any() else None,
        "auc": rounded(auc(judged.invalid, invalid)) if scored and judged.invalid is not None else None,
        "escalated": judged.escalated,
        "seconds_per_claim": judged.seconds_per_claim,
        "usd_per_million": judged.usd_per_million,
        **(judged.fields or {}),
        "intervals": {
            "accuracy": interval(_accuracy(drawn)),
            "macro_f1": interval(macro_f1(drawn)),
            "f1_fail": interval(drawn_fail),
            "f1_pass_fail": interval(drawn_both),
        },
    }


def by_class(
    cases: Cases, judges: Mapping[str, JudgeResult], resamples: int, seed: int
) -> list[dict[str, Any]]:
    """Per class: rows, and per judge its recall with interval, F1, and share called Fail."""
    found = []
    for at, label in enumerate(LABELS):
        n = int((cases.labels == at).sum())
        if n:
            entry: dict[str, Any] = {"label": label, "n": n}
            for name, judged in judges.items():
                counts = confusion(judged.called, cases.labels)
                drawn = resampled(cases, judged.called, resamples, seed)[:, at, :]
                recalls = drawn[:, at] / np.maximum(drawn.sum(axis=1), 1e-12)
                entry[name] = {
                    "recall": rounded(counts[at, at] / n),
                    "f1": rounded(class_f1(counts)[at]),
                    "caught": rounded(1 - counts[at, 0] / n),
                    "recall_interval": interval(recalls),
                }
            found.append(entry)
    return found


def rounded(value: Any, digits: int = 4) -> float:
    """A plain float, rounded."""
    return round(float(value), digits)


def f1_of_ground(cases: Cases, called: Called, ground: Ground) -> float:
    """F1 if only the defects of one ground count: those that would be rejected, or objected to, by class."""
    of_ground = [at for at, label in enumerate(LABELS) if at and ErrorClass(label).ground is ground]
    return f1(np.isin(called, of_ground), np.isin(cases.labels, of_ground))


def _accuracy(counts: Floats) -> Any:
    return np.trace(counts, axis1=-2, axis2=-1) / np.maximum(counts.sum(axis=(-2, -1)), 1e-12)
