"""How long an answer takes: a distribution to draw from."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from ace.errors import Refused


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds before an answer, lognormal: their median, and `sigma`, the standard deviation of their
    logarithm (0: always the median)."""

    median: float = 0.0
    sigma: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Latency:
        """From "fixed:SECONDS" or "lognormal:MEDIAN,SIGMA". Raises Refused."""
        kind, _, numbers = text.partition(":")
        try:
            values = [float(number) for number in numbers.split(",")]
        except ValueError:
            values = []
        counts = {"fixed": 1, "lognormal": 2}
        if len(values) != counts.get(kind) or not all(0 <= value < math.inf for value in values):
            raise Refused(
                f"the latency {text!r} must be fixed:SECONDS or lognormal:MEDIAN,SIGMA",
                code="latency",
                pointer="/latency",
            )
        return cls(*values)

    def draw(self, rng: random.Random) -> float:
        """The seconds of one answer."""
        return self.median * math.exp(rng.gauss(0.0, self.sigma)) if self.sigma else self.median

    def mean(self) -> float:
        """The mean seconds of an answer."""
        return self.median * math.exp(self.sigma**2 / 2)
