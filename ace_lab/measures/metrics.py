"""Quality of scores and calls: the numbers of a model card and of a report. numpy only.

`p` has shape (N, 6) in the order of LABELS, `labels` are indices into it, and "invalid" is any class
but pass. The binary call of a row of scores is P_inv > P_valid, as in the paper's fast path; that of
a called class is any class but pass.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ace.claims.taxonomy import LABELS
from ace.routing.calibration import ReliabilityBin
from ace.routing.score import binary_entropy, p_inv, p_valid

Labels = NDArray[np.integer]
Floats = NDArray[np.float64]
BINS = 15


def report(p: NDArray[np.floating], labels: Labels, tau: float) -> dict[str, Any]:
    """Everything a card states about one split, rounded to four digits."""
    called = p.argmax(axis=1)
    invalid, inv = labels > 0, p_inv(p)
    kept = binary_entropy(p) <= tau
    call = inv > p_valid(p)
    per_class = {
        label: {
            "n": int((labels == index).sum()),
            "recall": _round((called[labels == index] == index).mean()),
            "caught": _round(call[labels == index].mean()),
            "f1": _round(f1(called == index, labels == index)),
        }
        for index, label in enumerate(LABELS)
        if (labels == index).any()
    }
    return {
        "n": len(labels),
        "accuracy": _round((called == labels).mean()),
        "macro_f1": _round(np.mean([entry["f1"] for entry in per_class.values()])),
        "binary_accuracy": _round((call == invalid).mean()),
        "binary_f1": _round(f1(call, invalid)),
        "auc": _round(auc(inv, invalid)),
        "ece": _round(expected_calibration_error(inv, invalid)),
        "escalated": _round(1 - kept.mean()),
        "retained_f1": _round(f1(call[kept], invalid[kept])),
        "retained_accuracy": _round((call == invalid)[kept].mean()),
        "false_alarms_retained": _round(call[kept & ~invalid].mean()),
        "classes": per_class,
    }


def f1(called: NDArray[np.bool_], truth: NDArray[np.bool_]) -> float:
    """F1 of the true class; 0 if nothing is called and nothing is true."""
    marked = int(called.sum()) + int(truth.sum())
    return 2 * int((called & truth).sum()) / marked if marked else 0.0


def confusion(called: Labels, labels: Labels) -> Floats:
    """Counts, shape (6, 6): row is the truth, column what was called."""
    size = len(LABELS)
    flat = np.bincount(np.asarray(labels) * size + np.asarray(called), minlength=size * size)
    return flat.reshape(size, size).astype(np.float64)


def with_prior(counts: NDArray[np.floating], prior: ArrayLike) -> Floats:
    """A confusion matrix (…, 6, 6) weighted to shares of the classes that sum to one: two sets of
    claims then compare whatever their mixes. Classes without rows stay empty."""
    rows = counts.sum(axis=-1, keepdims=True)
    weights = np.where(rows > 0, np.asarray(prior, np.float64)[:, None] / np.maximum(rows, 1e-12), 0.0)
    return np.asarray(counts * weights, np.float64)


def class_f1(counts: NDArray[np.floating]) -> Floats:
    """F1 of each class, shape (…, 6), of confusion matrices (…, 6, 6); NaN for a class without rows."""
    truth, called = counts.sum(axis=-1), counts.sum(axis=-2)
    hits = np.diagonal(counts, axis1=-2, axis2=-1)
    return np.where(truth > 0, 2 * hits / np.maximum(truth + called, 1e-12), np.nan)


def macro_f1(counts: NDArray[np.floating]) -> Floats:
    """Mean F1 over the classes that have rows, shape (…)."""
    each = class_f1(counts)
    there = ~np.isnan(each)
    found: Floats = np.where(there, each, 0.0).sum(axis=-1) / np.maximum(there.sum(axis=-1), 1)
    return found


def two_class(counts: NDArray[np.floating]) -> tuple[Floats, Floats]:
    """(F1 of Fail, mean of the F1 of Pass and of Fail), each of shape (…), of matrices (…, 6, 6)."""
    passed = counts[..., 0, 0]
    alarms, missed = counts[..., 0, 1:].sum(axis=-1), counts[..., 1:, 0].sum(axis=-1)
    caught = counts[..., 1:, 1:].sum(axis=(-2, -1))
    fail = 2 * caught / np.maximum(2 * caught + alarms + missed, 1e-12)
    sound = 2 * passed / np.maximum(2 * passed + alarms + missed, 1e-12)
    return fail, (fail + sound) / 2


def auc(scores: NDArray[np.floating], truth: NDArray[np.bool_]) -> float:
    """Probability that a true case scores above a false one, ties counting half.

    Raises ValueError if one of the two kinds is missing.
    """
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        raise ValueError("an AUC needs cases of both kinds")
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = (last - (counts - 1) / 2)[inverse]
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def expected_calibration_error(
    probability: NDArray[np.floating], truth: NDArray[np.bool_], bins: int = BINS
) -> float:
    """ECE of P_inv against "is invalid", over bins of equal width."""
    found = reliability_bins(probability, truth, bins)
    return sum(abs(one.predicted - one.observed) * one.n for one in found) / max(1, len(truth))


def reliability_bins(
    probability: NDArray[np.floating], truth: NDArray[np.bool_], bins: int = BINS
) -> list[ReliabilityBin]:
    """Of N rows, (N,) each, the bins of equal width that hold any, from the lowest probability."""
    index = np.minimum((np.asarray(probability) * bins).astype(int), bins - 1)
    found = []
    for one in range(bins):
        rows = index == one
        if rows.any():
            predicted, observed = float(probability[rows].mean()), float(truth[rows].mean())
            found.append(ReliabilityBin(one / bins, (one + 1) / bins, int(rows.sum()), predicted, observed))
    return found


def _round(value: Any) -> float:
    return round(float(value), 4)
