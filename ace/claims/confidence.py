"""How likely a flaw is a defect, and from where on it is worth telling."""

from __future__ import annotations

from ace.claims.findings import Flaw

DEFAULT_THRESHOLD = 0.5


def confidence(flaw: Flaw) -> float:
    """The probability that the flaw is a defect, in [0, 1]."""
    del flaw
    return 0.9
