"""Fits what joins the rules' confidences to the encoder's logits (`ace.routing.fusion`)."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from ace.claims.taxonomy import LABELS, ErrorClass
from ace.routing.boosted import Floats
from ace.routing.fusion import Fusion, evidence, features, pooled
from ace_lab.calibration.boosting import Shape, boosted

PENALTY = 1e-3
"""Of squared biases, and of squared distances of the rules' weights from their mean: the loss is a mean
cross-entropy in nats."""

TWINS = 0.03
"""What sound twins of mistakes weigh of all sound rows. Without them the trees take a claim in which a
mistake fits for one that has it; with more of them the doubt misses more of the defects that pass
(docs/decisions/0044-a-stage-on-a-gpu.md)."""

TREES = Shape(depth=2, trees=200, shrinkage=0.06)

_CLASSES = len(ErrorClass)
_START = np.array([0.5, *[1.0] * _CLASSES, 0.1, *[-2.0] * _CLASSES])
_BOUNDS = [(0.0, None)] * (_CLASSES + 2) + [(None, None)] * _CLASSES


def fit_fusion(
    raw: NDArray[np.floating],
    confidences: Floats,
    labels: NDArray[np.integer],
    new: NDArray[np.bool_] | None = None,
    twins: NDArray[np.bool_] | None = None,
) -> Fusion:
    """The fusion of least cross-entropy on logits (N, 6), confidences of the rules (N, 2, 5) and class
    indices (N,).

    The pool learns from the rows whose kind of defect is `new` to the encoder (default: all), the trees from
    all. Sound claims weigh as much together as all defects; of their weight, `twins` (default: none) have
    the share TWINS. For the pool, each class of defect weighs as much as another. Raises ValueError if a
    class has no row for the pool.
    """
    chosen = np.ones(len(labels), dtype=bool) if new is None else new
    pool = _pool(raw[chosen], confidences[chosen], labels[chosen])
    seen, wrong = evidence(raw, confidences, pool.logits(raw, confidences)), labels > 0
    return replace(pool, defect=boosted(seen, wrong, _halves(wrong, twins), TREES))


def _halves(wrong: NDArray[np.bool_], twins: NDArray[np.bool_] | None) -> Floats:
    """A weight for each row, shape (N,), in which defects and sound rows have half of the sum each."""
    weights: Floats = np.where(wrong, 0.5 / wrong.sum(), 0.5 / (~wrong).sum())
    if twins is not None and twins.any():
        others = ~wrong & ~twins
        weights[twins], weights[others] = 0.5 * TWINS / twins.sum(), 0.5 * (1 - TWINS) / others.sum()
    weights *= len(wrong)
    return weights


def _pool(raw: NDArray[np.floating], confidences: Floats, labels: NDArray[np.integer]) -> Fusion:
    if missing := [label for at, label in enumerate(LABELS) if not (labels == at).any()]:
        raise ValueError(f"fusion needs rows of every class: {', '.join(missing)} has none")
    seen, rows, weights = features(raw, confidences), np.arange(len(labels)), _balanced(labels)

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


def _balanced(labels: NDArray[np.integer]) -> Floats:
    """A weight for each row, shape (N,); their sum is 1."""
    counts = np.bincount(labels, minlength=len(LABELS))
    shares = np.array([0.5, *[0.5 / _CLASSES] * _CLASSES])
    found: Floats = (shares / counts)[labels]
    return found
