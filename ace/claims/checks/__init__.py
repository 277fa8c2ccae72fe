"""The deterministic checks, one file per class of defect; each maps a claim to its findings.

First version: dependency, antecedent and syntax. They prefer silence to a false alarm: what they
report on granted claims is measured, and a rule that a granted claim often breaks is no rule.
"""

from __future__ import annotations

import re

from ace.claims.checks import antecedent, dependency, syntax
from ace.claims.findings import Finding
from ace.claims.model import Claim, ClaimSet

_PLACEHOLDER = re.compile(
    r"[\[(]?\s*(?:cancell?ed|withdrawn|deleted|not\s+entered|reserved)\s*[\])]?\s*\.?", re.IGNORECASE
)
_LONGEST_PLACEHOLDER = 40


def check_claim(claim_set: ClaimSet, claim: Claim) -> list[Finding]:
    """All findings on one claim, by position. A claim that is only "(Canceled)" has none.

    Antecedents are looked for only along a chain of references that holds: where a claim it depends
    on is missing, nobody can say what that claim introduced.
    """
    if len(claim.text) < _LONGEST_PLACEHOLDER and _PLACEHOLDER.fullmatch(claim.text):
        return []
    found = [*dependency.check(claim_set, claim), *syntax.check(claim_set, claim)]
    if dependency.chain_is_whole(claim_set, claim):
        found += antecedent.check(claim_set, claim)
    return sorted(found, key=lambda each: (each.start, each.end))
