"""What the rules find in claims, as numbers: for the structural judge, and as features for learning judges.

No threshold is applied: each rule counts with the confidence of its likeliest flaw in the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ace.claims.chains import BrokenChain, chain_set, kept_set
from ace.claims.checks import RULES, flaws_of
from ace.claims.checks.confidence import confidence
from ace.claims.model import CHAIN_CUT, Claim, ClaimInput
from ace.claims.reading import Reading
from ace.claims.taxonomy import LABELS

Floats = NDArray[np.float64]

_PLACES = {rule.id: at for at, rule in enumerate(RULES)}
_RULES_OF_CLASS = [
    [at for at, rule in enumerate(RULES) if rule.error_class.value == label] for label in LABELS
]


@dataclass(frozen=True, slots=True)
class RuleScores:
    """Per claim and rule, shape (N, rules): the confidence of its likeliest flaw, 0 without a flaw."""

    by_rule: Floats

    def by_class(self) -> Floats:
        """The same per class, shape (N, 6); the first column is 1 less the largest of the others."""
        found = np.zeros((len(self.by_rule), len(LABELS)))
        for at in range(1, len(LABELS)):
            found[:, at] = self.by_rule[:, _RULES_OF_CLASS[at]].max(axis=1, initial=0.0)
        found[:, 0] = 1 - found[:, 1:].max(axis=1, initial=0.0)
        return found


def rule_scores(inputs: Sequence[ClaimInput]) -> RuleScores:
    """Scores of claims read with nothing but their chains, as the gatekeeper and the expert read them."""
    return _stacked([_of_input(claim) for claim in inputs])


def rule_scores_of_set(claims: Sequence[tuple[int, str]]) -> RuleScores:
    """Scores of every claim of a set, which is read once."""
    reading = Reading(kept_set(claims))
    return _stacked([_of(reading, reading.claims[number], cut=False) for number, _ in claims])


def _of_input(claim: ClaimInput) -> Floats:
    try:
        reading = Reading(chain_set(claim))
    except BrokenChain:
        return np.zeros(len(RULES))
    return _of(reading, reading.claims[claim.number], cut=CHAIN_CUT in claim.ancestors)


def _of(reading: Reading, own: Claim, *, cut: bool) -> Floats:
    row = np.zeros(len(RULES))
    for flaw in flaws_of(reading, own):
        rests_on_chain = flaw.rule.error_class.value == "antecedent" or flaw.rule.subtype == "nonexistent"
        if flaw.rule.whole_set or (cut and rests_on_chain):
            continue
        at = _PLACES[flaw.rule.id]
        row[at] = max(row[at], confidence(flaw))
    return row


def _stacked(seen: Sequence[Floats]) -> RuleScores:
    return RuleScores(np.asarray(seen, np.float64).reshape(len(seen), len(RULES)))
