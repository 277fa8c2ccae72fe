"""References to other claims that cannot stand: to nothing, to itself, forward, in a circle, and
multiple on multiple (35 U.S.C. 112(d) and (e); 37 CFR 1.75(c); MPEP 608.01(n)).
"""

from __future__ import annotations

from collections.abc import Iterator

from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.reading import Reading
from ace.claims.references import Reference, references
from ace.claims.rules import Provision, Rule
from ace.claims.taxonomy import ErrorClass

MULTIPLE_LAW = "35 U.S.C. 112(e); 37 CFR 1.75(c); MPEP 608.01(n)"


_RULE = {
    subtype: Rule(ErrorClass.DEPENDENCY, subtype, subtype, "", "", Provision(ErrorClass.DEPENDENCY.law), None)
    for subtype in ("self", "nonexistent", "circular", "forward", "multiple_on_multiple")
}
RULES: tuple[Rule, ...] = tuple(_RULE.values())


def check(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """At most one finding per reference: the gravest of what is wrong with it."""
    claim_set = reading.claims
    in_circle = _in_circle(claim_set, claim)
    for reference in reading.references(claim.number):
        judged = _judge(claim_set, claim, reference, in_circle)
        if judged is not None:
            subtype, _, explanation = judged
            yield Flaw(_RULE[subtype], reference.start, reference.end, explanation)


def _judge(
    claim_set: ClaimSet, claim: Claim, reference: Reference, in_circle: bool
) -> tuple[str, str | None, str] | None:
    """(subtype, law or None for the usual one, explanation), or None where nothing is wrong."""
    own = claim.number
    if own in reference.numbers:
        return "self", None, f"Claim {own} refers to itself."
    missing = [number for number in reference.numbers if claim_set.get(number) is None]
    if missing:
        return "nonexistent", None, f"Claim {own} refers to claim {missing[0]}, which does not exist."
    for number in reference.numbers if in_circle else ():
        if own in claim_set.ancestors(number):
            return "circular", None, f"Claims {own} and {number} depend on each other."
    later = [number for number in reference.numbers if number > own]
    if later:
        return "forward", None, f"Claim {own} refers forward to claim {later[0]}."
    if reference.several:
        for number in reference.numbers:
            parent = claim_set.get(number)
            if parent is not None and is_multiple(parent):
                return (
                    "multiple_on_multiple",
                    MULTIPLE_LAW,
                    f"Claim {own} depends on several claims; claim {number} does so itself.",
                )
    return None


def _in_circle(claim_set: ClaimSet, claim: Claim) -> bool:
    ancestors = (claim_set.get(number) for number in claim_set.ancestors(claim.number))
    return any(claim.number in ancestor.parents for ancestor in ancestors if ancestor is not None)


def is_multiple(claim: Claim) -> bool:
    """Whether the claim refers to more than one other claim in one reference."""
    return any(reference.several for reference in references(claim.text, claim.number))
