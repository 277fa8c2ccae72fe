"""How likely a flaw is a defect, and how likely it must be to be reported.

The weights are in confidence.json, beside how often labels found each rule right and wrong. They are fitted
by ace_lab.calibration.confidence. docs/reference/confidence.md says what the number means and what it does
not.
"""

from __future__ import annotations

import json
import math
from importlib import resources
from typing import Any, Final

from ace.claims.findings import Flaw

FITTED: Final[dict[str, Any]] = json.loads(
    resources.files(__package__).joinpath("confidence.json").read_bytes()
)
"""The record of the fit."""
DEFAULT_THRESHOLD: Final[float] = FITTED["threshold"]
"""Findings of less confidence are reported only on request."""

_RULES: Final[dict[str, dict[str, Any]]] = FITTED["rules"]
_UNKNOWN: Final[dict[str, Any]] = {"weight": 0.0, "signals": {}}
"""A rule that is newer than the weights: even odds."""


def confidence(flaw: Flaw) -> float:
    """The probability that the flaw stands in a claim that careful readers fail, in [0, 1]: logistic in the
    sum of the weights of its rule and of its signals. A signal without a weight does not count."""
    weights = _RULES.get(flaw.rule.id, _UNKNOWN)
    signals: dict[str, float] = weights["signals"]
    # Sums of floats depend on their order.
    total = weights["weight"] + sum(signals.get(signal, 0.0) for signal in sorted(set(flaw.signals)))
    return float(1 / (1 + math.exp(-total)))
