"""How likely a flaw is a defect, and how likely it must be to be reported.

The weights in confidence_table.py are fitted by ace_lab.calibration.confidence. docs/reference/confidence.md
says what the number means and what it does not.
"""

from __future__ import annotations

import math

from ace.claims.checks.confidence_table import RULES, SIGNALS, THRESHOLD
from ace.claims.findings import Flaw

DEFAULT_THRESHOLD = THRESHOLD
"""Findings of less confidence are reported only on request. Chosen on a measured curve."""

_UNKNOWN = 0.0  # log-odds of a rule that is newer than the weights: even odds


def confidence(flaw: Flaw) -> float:
    """The probability that the flaw is a defect, in [0, 1]: logistic in the sum of the weights of its
    rule and of its signals. A signal without a weight does not count."""
    rule_id = flaw.rule.id
    total = RULES[rule_id][0] if rule_id in RULES else _UNKNOWN
    for signal in sorted(set(flaw.signals)):  # sums of floats depend on their order
        total += SIGNALS.get((rule_id, signal), 0.0)
    return 1 / (1 + math.exp(-total))
