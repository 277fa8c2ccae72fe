"""Defective references to other claims, and dependent claims that do not limit their parents.

35 U.S.C. 112(d) and (e); 37 CFR 1.75; MPEP 608.01(n). The target of a reference is checked first; its form,
and what the claim adds to its parents, only if the target is sound.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.checks.dependency.category import mismatch
from ace.claims.checks.dependency.claim_relations import ClaimRelations
from ace.claims.checks.dependency.form import malformed
from ace.claims.checks.dependency.narrowing import not_narrowing
from ace.claims.checks.dependency.rules import RULE, RULES
from ace.claims.checks.dependency.targets import misdirected
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """At most one flaw for each reference, the most serious; and a claim that adds nothing to its parents."""
    relations = reading.kept(ClaimRelations)
    flawed = False
    for reference in reading.references(claim.number):
        flaw = misdirected(relations, claim, reference) or mismatch(relations, claim, reference)
        if flaw is not None:
            flawed = True
        else:
            flaw = malformed(claim, relations.subject(claim.number), reference)
        if flaw is not None:
            yield flaw
    if flawed:
        return
    earlier = relations.same_as(claim)
    if earlier is not None:
        why = f"Claim {claim.number} has the same words as claim {earlier}."
        yield Flaw(RULE["duplicate_claim"], 0, len(claim.text), why)
        return
    empty = not_narrowing(relations, claim)
    if empty is not None:
        yield empty
