"""Dependency: references to the claim itself, to a later claim, to one that does not exist.

MPEP 608.01(n), 37 CFR 1.75(c). The set is read again after the edit, so the ancestors are those
that the runtime would find.
"""

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.lab.edits import Injection, Lexicon, splice, with_text, without

LABEL = "dependency"
_SINGLE = re.compile(r"\bclaim (\d+)\b(?!\s*(?:,|or|and|to|through|-)\s*\d)")


def self_reference(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 4 refers to claim 4."""
    return _repointed(claims, claim, claim.number, "self_reference")


def forward_reference(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """Claim 4 refers to a later claim of the set."""
    later = [other.number for other in claims if other.number > claim.number]
    if not later:
        return None
    near = [number for number in later if number <= claim.number + 5]
    target = rng.choice(near if near and rng.random() < 0.7 else later)
    return _repointed(claims, claim, target, "forward_reference")


def nonexistent_reference(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """Claim 4 refers to a number beyond the end of the set."""
    last = max(other.number for other in claims)
    beyond = last + rng.randint(1, 6) if rng.random() < 0.7 else last + rng.randint(7, 80)
    return _repointed(claims, claim, beyond, "nonexistent_reference")


def parent_missing(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 4 refers to claim 3, which was struck from the set."""
    found = _only_reference(claims, claim)
    if found is None:
        return None
    edited = without(claims, int(found.group(1)))
    return Injection(edited, claim.number, LABEL, "parent_missing", found.start(), found.end())


def circular(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 3 refers to claim 4, whose parent it is: the chain of claim 3 leads back to it."""
    children = [other for other in claims if other.parents == (claim.number,)]
    if not children:
        return None
    return _repointed(claims, claim, children[0].number, "circular")


def _only_reference(claims: ClaimSet, claim: Claim) -> re.Match[str] | None:
    """The reference of a claim with exactly one, if it is a plain "claim N" that resolves."""
    found = _SINGLE.search(claim.text)
    if found is None or claim.parents != (int(found.group(1)),):
        return None
    return found if claims.get(int(found.group(1))) is not None else None


def _repointed(claims: ClaimSet, claim: Claim, target: int, subtype: str) -> Injection | None:
    found = _only_reference(claims, claim)
    if found is None:
        return None
    piece = f"claim {target}"
    text = splice(claim.text, found.start(), found.end(), piece)
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, found.start(), found.start() + len(piece))
