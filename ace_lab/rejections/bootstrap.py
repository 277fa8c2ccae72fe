"""Shares with intervals: a bootstrap over applications for ratios of sums.

Claims of one application resemble one another, so applications are drawn and not claims.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS = 2_000
LEVEL = 0.95
_INDICES_AT_A_TIME = 2_000_000


@dataclass(frozen=True, slots=True)
class Share:
    """hits / of, with the bounds of its 95 % interval; all None if `of` is 0."""

    hits: float
    of: float
    value: float | None
    low: float | None
    high: float | None

    def as_json(self) -> dict[str, Any]:
        """Rounded to four digits."""
        rounded = {
            name: None if value is None else round(value, 4)
            for name, value in (("value", self.value), ("low", self.low), ("high", self.high))
        }
        return {"hits": round(self.hits, 4), "of": round(self.of, 4), **rounded}


class Bootstrap:
    """Draws among `applications` (their number), the same for figures over the same applications."""

    def __init__(self, applications: int, *, draws: int = DRAWS, seed: int = 0) -> None:
        self._count = applications
        self._draws = draws
        self._seed = seed

    def share(self, hits: NDArray[Any], of: NDArray[Any], application: NDArray[np.integer]) -> Share:
        """sum(hits) / sum(of) over rows of shape (N,), whose applications are 0 … applications - 1.

        The interval is that of percentiles. Draws in which nothing is counted are left out.
        """
        above = self._summed(hits, application)
        below = self._summed(of, application)
        total, whole = float(above.sum()), float(below.sum())
        if whole == 0:
            return Share(total, whole, None, None, None)
        counted = below > 0
        found = self._drawn(above[counted], below[counted])
        outside = (1 - LEVEL) / 2
        low, high = np.quantile(found, [outside, 1 - outside])
        return Share(total, whole, total / whole, float(low), float(high))

    def mean(self, values: NDArray[Any]) -> Share:
        """The mean over applications of one value each, shape (applications,)."""
        return self.share(values, np.ones(self._count), np.arange(self._count))

    def _summed(self, values: NDArray[Any], application: NDArray[np.integer]) -> NDArray[np.float64]:
        found = np.zeros(self._count)
        np.add.at(found, application, np.asarray(values, dtype=np.float64))
        return found

    def _drawn(self, above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
        rng = np.random.default_rng(self._seed)
        count = len(below)
        found = []
        at_a_time = max(1, _INDICES_AT_A_TIME // count)
        for start in range(0, self._draws, at_a_time):
            draws = min(at_a_time, self._draws - start)
            drawn = rng.integers(0, count, (draws, count))
            found.append(above[drawn].sum(axis=1) / below[drawn].sum(axis=1))
        return np.concatenate(found)
