"""Fits what joins the rules and facts about a claim to the encoder's logits (`ace.routing.fusion`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from ace.claims.taxonomy import LABELS, ErrorClass
from ace.routing.boosted import Boosted, Floats
from ace.routing.fusion import Fusion, evidence, features, of_any, pooled
from ace_lab.calibration.boosting import Shape, boosted
from ace_lab.measures.metrics import f1

PENALTY = 1e-3
"""Of squared biases, and of squared distances of the rules' weights from their mean: the loss is a mean
cross-entropy in nats."""

TREES = Shape(depth=2, trees=100, shrinkage=0.06)

FOLDS = 5

CUTS = np.arange(0.20, 0.505, 0.01)
"""The chances of a defect from which on a claim might fail."""

_SMOOTHED = 5
"""So many neighbouring cuts count as one, because the F1 of each is noisy."""

_CLASSES = len(ErrorClass)
_START = np.array([0.5, *[1.0] * _CLASSES, 0.1, *[-2.0] * _CLASSES])
_BOUNDS = [(0.0, None)] * (_CLASSES + 2) + [(None, None)] * _CLASSES


@dataclass(frozen=True, slots=True)
class CrossFitted:
    """A fusion of all rows, its `stakes`, and the logits (N, 6) of each row under a fusion that has not seen
    its family."""

    fusion: Fusion
    stakes: float
    logits: Floats


def fit_fusion(
    raw: NDArray[np.floating],
    facts: Floats,
    labels: NDArray[np.integer],
    weights: Floats,
    slope: float = 1.0,
    shift: float = 0.0,
) -> Fusion:
    """The fusion of least cross-entropy on logits (N, 6), facts (N, len(FACTS)), class indices (N,) and what
    each row counts, (N,); its log-odds of a defect are then multiplied by `slope` and shifted.

    For the pool, each class of defect weighs as much as another, and sound claims as much as all of them;
    the trees take rows for what they count. Raises ValueError if a class has no row.
    """
    pool = _pool(raw, facts, labels, weights)
    seen = evidence(raw, facts, pool.logits(raw, facts))
    return replace(pool, defect=_moved(boosted(seen, labels > 0, weights, TREES), slope, shift))


def cross_fitted(
    raw: NDArray[np.floating],
    facts: Floats,
    labels: NDArray[np.integer],
    weights: Floats,
    families: NDArray[Any],
    real: NDArray[np.bool_],
) -> CrossFitted:
    """The fusion of these rows, whose probabilities are calibrated to the `real` ones, (N,), as families look
    to a fusion that has not seen them (Platt 1999), and shifted to where failing a claim gives the best F1
    there.

    Raises ValueError if a class has no row, or if there are fewer than two families.
    """
    folds = min(FOLDS, len(np.unique(families)))
    if folds < 2:
        raise ValueError("a fusion needs claims of at least two families")
    logits = np.empty((len(labels), len(LABELS)))
    for others, held in GroupKFold(folds).split(raw, labels, families):
        without = fit_fusion(raw[others], facts[others], labels[others], weights[others])
        logits[held] = without.logits(raw[held], facts[held])
    odds, wrong = of_any(logits), labels > 0
    slope, shift = _platt(odds[real], wrong[real], weights[real])
    chance = 1 / (1 + np.exp(-(slope * odds[real] + shift)))
    stakes = round(best_stakes(chance, wrong[real]), 4)
    shift += float(np.log(stakes))
    logits[:, 1:] += ((slope - 1) * odds + shift)[:, None]
    fusion = fit_fusion(raw, facts, labels, weights, slope, shift)
    return CrossFitted(fusion, stakes, logits)


def best_stakes(chance: Floats, wrong: NDArray[np.bool_]) -> float:
    """How many false alarms a missed defect has to count as, so that failing where it costs less gives the
    best F1 of Fail on these chances of a defect, (N,)."""
    each = np.array([f1(chance > cut, wrong) for cut in CUTS])
    reach = _SMOOTHED // 2
    smooth = [each[max(0, at - reach) : at + reach + 1].mean() for at in range(len(CUTS))]
    cut = float(CUTS[int(np.argmax(smooth))])
    return (1 - cut) / cut


def _platt(odds: Floats, wrong: NDArray[np.bool_], weights: Floats) -> tuple[float, float]:
    """The slope and the shift with which log-odds (N,) are calibrated; as they are if one outcome is all."""
    if wrong.all() or not wrong.any():
        return 1.0, 0.0
    line = LogisticRegression(C=1e6).fit(odds[:, None], wrong, sample_weight=weights)
    return max(float(line.coef_[0, 0]), 0.0), float(line.intercept_[0])


def _moved(trees: Boosted, slope: float, shift: float) -> Boosted:
    """The trees with their log-odds multiplied and shifted."""
    return replace(
        trees,
        intercept=round(slope * trees.intercept + shift, 6),
        values=tuple(tuple(round(slope * value, 6) for value in tree) for tree in trees.values),
    )


def _pool(raw: NDArray[np.floating], facts: Floats, labels: NDArray[np.integer], counted: Floats) -> Fusion:
    if missing := [label for at, label in enumerate(LABELS) if not (labels == at).any()]:
        raise ValueError(f"fusion needs rows of every class: {', '.join(missing)} has none")
    seen, rows, weights = features(raw, facts), np.arange(len(labels)), _balanced(labels, counted)

    def loss(parameters: Floats) -> float:
        encoder, rules, notes, bias = _parts(parameters)
        fused = pooled(seen, encoder, rules, notes, bias)
        fused -= fused.max(axis=1, keepdims=True)
        likely = fused[rows, labels] - np.log(np.exp(fused).sum(axis=1))
        penalty = ((rules - rules.mean()) ** 2).sum() + (bias**2).sum()
        return float(-(weights * likely).sum() + PENALTY * penalty)

    best = minimize(loss, _START, method="L-BFGS-B", bounds=_BOUNDS)
    encoder, rules, notes, bias = _parts(np.round(best.x, 4))
    return Fusion(
        float(encoder),
        dict(zip(ErrorClass, rules.tolist(), strict=True)),
        float(notes),
        dict(zip(ErrorClass, bias.tolist(), strict=True)),
    )


def _parts(parameters: Floats) -> tuple[float, Floats, float, Floats]:
    """The encoder's weight, those of the rules, that of notes, and the biases."""
    rules, bias = parameters[1 : _CLASSES + 1], parameters[_CLASSES + 2 :]
    return float(parameters[0]), rules, float(parameters[_CLASSES + 1]), bias


def _balanced(labels: NDArray[np.integer], counted: Floats) -> Floats:
    """A weight for each row, shape (N,), of what rows count; their sum is 1."""
    sums = np.bincount(labels, weights=counted, minlength=len(LABELS))
    shares = np.array([0.5, *[0.5 / _CLASSES] * _CLASSES])
    found: Floats = (shares / sums)[labels] * counted
    return found
