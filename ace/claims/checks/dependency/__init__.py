"""References to other claims that cannot stand, in themselves or for what the claim says.

35 U.S.C. 112(d) and (e); 37 CFR 1.75; MPEP 608.01(n). Whether a reference leads anywhere is asked first;
its form, and what the claim adds to its parents, only where it does.
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.checks.dependency.category import mismatch
from ace.claims.checks.dependency.claim_relations import ClaimRelations
from ace.claims.checks.dependency.form import malformed
from ace.claims.checks.dependency.narrowing import not_narrowing
from ace.claims.checks.dependency.rules import DUPLICATE, RULES
from ace.claims.checks.dependency.targets import misdirected
from ace.claims.findings import Flaw
from ace.claims.model import Claim
from ace.claims.reading import Reading

__all__ = ["RULES", "check"]


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """At most one flaw per reference, the gravest; and whether the claim adds to its parents at all."""
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
        yield Flaw(
            DUPLICATE, 0, len(claim.text), f"Claim {claim.number} has the same words as claim {earlier}."
        )
        return
    empty = not_narrowing(relations, claim)
    if empty is not None:
        yield empty
