"""What a row of six probabilities says: P_valid, P_inv, U, H6. numpy only, no decisions here.

`p` is a float array of shape (N, 6) in the order of `ace.claims.taxonomy.LABELS`: pass first, then
the five errors. Paper §4.2. Rows that are no number give values that are no number.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SUM_TOLERANCE: Final = 1e-3


def p_valid(p: NDArray[np.floating]) -> Floats:
    """Probability of class pass, shape (N,)."""
    return np.asarray(p, dtype=np.float64)[:, 0]


def p_inv(p: NDArray[np.floating]) -> Floats:
    """Probability that some error is there: the sum over the five error classes, shape (N,)."""
    total: Floats = np.asarray(p, dtype=np.float64)[:, 1:].sum(axis=1)
    return total


def without_stakes(p: NDArray[np.floating], stakes: float) -> Floats:
    """Rows of six probabilities as they are once a defect counts no more than a sound claim, shape (N, 6):
    those of `Calibration.stakes` count it so many times."""
    p = np.asarray(p, dtype=np.float64)
    whole = p * np.array([stakes, *[1.0] * (p.shape[1] - 1)])
    found: Floats = whole / whole.sum(axis=1, keepdims=True)
    return found


def binary_entropy(p: NDArray[np.floating]) -> Floats:
    """U in nats, shape (N,): entropy of (P_valid, P_inv), 0 to ln 2, exactly 0 where one is 0.

    Paper §4.2, equation of U.
    """
    return _entropy(np.stack([p_valid(p), p_inv(p)], axis=1))


def six_entropy(p: NDArray[np.floating]) -> Floats:
    """H6 in nats, shape (N,): entropy of all six probabilities, 0 to ln 6."""
    return _entropy(np.asarray(p, dtype=np.float64))


def top_error(p: NDArray[np.floating]) -> NDArray[np.intp]:
    """Index 1 to 5 of the likeliest error, shape (N,), whatever the verdict; 1 in rows of NaN."""
    errors = np.nan_to_num(np.asarray(p, dtype=np.float64)[:, 1:], nan=-1.0)
    found: NDArray[np.intp] = errors.argmax(axis=1) + 1
    return found


def is_number(p: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Whether each row is a distribution: finite, within [0, 1], sum 1 within 1e-3; shape (N,)."""
    p = np.asarray(p, dtype=np.float64)
    finite = np.isfinite(p).all(axis=1)
    safe = np.where(finite[:, None], p, 0.0)
    within = ((safe >= 0.0) & (safe <= 1.0)).all(axis=1)
    sums = np.abs(safe.sum(axis=1) - 1.0) <= SUM_TOLERANCE
    result: NDArray[np.bool_] = finite & within & sums
    return result


def softmax(logits: NDArray[np.floating], temperature: float = 1.0) -> NDArray[np.float32]:
    """Probabilities of logits divided by the temperature, shape (N, 6)."""
    scaled = np.asarray(logits, dtype=np.float64) / temperature
    shifted = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    found: NDArray[np.float32] = (shifted / shifted.sum(axis=1, keepdims=True)).astype(np.float32)
    return found


def _entropy(p: Floats) -> Floats:
    # log(1) where p is 0, so that 0 log 0 is exactly 0 and NaN stays NaN.
    terms = p * np.log(np.where(p > 0.0, p, np.where(np.isnan(p), np.nan, 1.0)))
    result: Floats = np.maximum(-terms.sum(axis=1), 0.0)
    return result
