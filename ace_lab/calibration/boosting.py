"""Fits the trees of a calibration record (`ace.routing.boosted`)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ace.routing.boosted import Boosted, Floats

LEAST = 20
"""The minimum of rows in a leaf."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many trees, how deep, and how much each of them counts."""

    depth: int
    trees: int
    shrinkage: float


def boosted(seen: Floats, event: NDArray[np.bool_], weights: Floats, shape: Shape) -> Boosted:
    """Gradient-boosted trees on the cross-entropy (Friedman 2001), from features (N, F) of N rows and what
    each row counts, (N,)."""
    from sklearn.ensemble import GradientBoostingClassifier

    if event.all() or not event.any():  # one outcome only: Laplace's estimate of its rate, whatever is seen
        rate = (event.sum() + 1) / (len(event) + 2)
        return Boosted(float(np.log(rate / (1 - rate))), (), (), ())
    model = GradientBoostingClassifier(
        n_estimators=shape.trees,
        learning_rate=shape.shrinkage,
        max_depth=shape.depth,
        min_samples_leaf=min(LEAST, max(1, len(event) // 10)),
        random_state=0,
    ).fit(seen, event, sample_weight=weights)
    rate = np.average(event, weights=weights)
    trees = [_complete(each[0].tree_, shape) for each in model.estimators_]
    asked, bounds, values = zip(*trees, strict=True)
    return Boosted(round(float(np.log(rate / (1 - rate))), 6), asked, bounds, values)


def _complete(tree: Any, shape: Shape) -> tuple[tuple[int, ...], tuple[float, ...], tuple[float, ...]]:
    """Features, thresholds and values of a fitted tree, filled up to its depth: below a leaf all values are
    its own."""
    inner = 2**shape.depth - 1
    nodes = [0]
    for at in range(inner):
        left, right = tree.children_left[nodes[at]], tree.children_right[nodes[at]]
        nodes += [nodes[at], nodes[at]] if left < 0 else [left, right]
    # A leaf asks for nothing (-2): any question does.
    asked = tuple(max(0, int(tree.feature[node])) for node in nodes[:inner])
    bounds = tuple(float(tree.threshold[node]) if tree.feature[node] >= 0 else 0.0 for node in nodes[:inner])
    values = tuple(round(shape.shrinkage * float(tree.value[node, 0, 0]), 6) for node in nodes[inner:])
    return asked, bounds, values
