"""Gradient-boosted trees as a calibration record keeps them: numbers, without a library."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Boosted:
    """P(event | features) = 1 / (1 + exp(-(intercept + the trees' values))): gradient-boosted trees.

    Trees are complete and of one depth d; a tree has 2^d - 1 inner nodes, of which node i has the children
    2i + 1 and 2i + 2, and 2^d values. A row goes left where its feature is at most the threshold. `features`
    are indices of the features that the trees are asked with and, like `thresholds`, have one list for each
    tree, as have `values`.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    intercept: float
    features: tuple[tuple[int, ...], ...]
    thresholds: tuple[tuple[float, ...], ...]
    values: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        shapes = {
            (len(asked), len(bounds), len(values) - 1)
            for asked, bounds, values in zip(self.features, self.thresholds, self.values, strict=True)
        }
        inner = {size for shape in shapes for size in shape}
        if len(inner) > 1 or any((size + 1) & size for size in inner):
            raise ValueError("trees must be complete and of one depth")

    def check(self, names: tuple[str, ...]) -> None:
        """Raises ValueError if a tree asks for a feature that has no name."""
        if any(not 0 <= index < len(names) for asked in self.features for index in asked):
            raise ValueError(f"trees ask for {len(names)} features: {', '.join(names)}")

    def log_odds(self, features: Floats) -> Floats:
        """The event's log-odds, shape (N,), for features of shape (N, number of names); NaN where one is."""
        raw = np.full(len(features), self.intercept)
        if self.values:
            asked, bounds = np.array(self.features), np.array(self.thresholds)
            trees, rows = np.arange(len(self.values)), np.arange(len(features))[:, None]
            node = np.zeros((len(features), len(trees)), dtype=np.intp)
            for _ in range(int(asked.shape[1] + 1).bit_length() - 1):
                right = features[rows, asked[trees, node]] > bounds[trees, node]
                node = 2 * node + 1 + right
            raw = raw + np.array(self.values)[trees, node - asked.shape[1]].sum(axis=1)
        raw[np.isnan(features).any(axis=1)] = np.nan
        return raw

    def probability(self, features: Floats) -> Floats:
        """The event's probability, as `log_odds`."""
        found: Floats = 0.5 * (1.0 + np.tanh(0.5 * self.log_odds(features)))  # logistic, without overflow
        return found
