"""How good scores are: the numbers of a model card. numpy only.

`p` has shape (N, 6) in the order of LABELS, `labels` are indices into it, and "invalid" is any class
but pass. The binary call is P_inv > P_valid, as in the paper's fast path.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.gatekeeper.score import binary_entropy, p_inv, p_valid

Labels = NDArray[np.integer]
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
    """F1 of the true class; 0 where nothing is called and nothing is true."""
    marked = int(called.sum()) + int(truth.sum())
    return 2 * int((called & truth).sum()) / marked if marked else 0.0


def auc(scores: NDArray[np.floating], truth: NDArray[np.bool_]) -> float:
    """Probability that a true case scores above a false one, ties counting half.

    Raises ValueError where one of the two kinds is missing.
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
    index = np.minimum((np.asarray(probability) * bins).astype(int), bins - 1)
    gaps = [
        abs(float(probability[index == one].mean()) - float(truth[index == one].mean()))
        * float((index == one).mean())
        for one in range(bins)
        if (index == one).any()
    ]
    return float(sum(gaps))


def _round(value: Any) -> float:
    return round(float(value), 4)
