"""Dependency: references to the claim itself, to a later claim, to one that does not exist.

MPEP 608.01(n), 37 CFR 1.75(c). The set is read again after the edit, so the ancestors are those
that the runtime would find.
"""

import re
from random import Random

from ace.claims.model import Claim, ClaimSet, Status
from ace_lab.injectors.edit_sites import OPENING, single_reference, spliced
from ace_lab.injectors.edits import Injection, Lexicon, splice, with_text, without

LABEL = "dependency"
_METHOD = re.compile(r"\b(?:method|process)\b", re.IGNORECASE)
# "A device comprising the lamp of claim 1." is a claim of its own, short as it is.
_OF_ITS_OWN = re.compile(r"\b(?:compris|includ|contain|consist|having|with|using|obtain|produced|made)")
_THINGS = ("apparatus", "assembly", "composition", "device", "kit", "machine", "product", "system")


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


def parent_canceled(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 4 refers to claim 3, which is canceled."""
    reference = _only_reference(claims, claim)
    if reference is None:
        return None
    gone = Claim(claim.parents[0], "", (), Status.CANCELED)
    edited = ClaimSet(tuple(gone if other.number == gone.number else other for other in claims))
    return Injection(edited, claim.number, LABEL, "parent_canceled", *reference.span())


def multiple_on_multiple(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """Claim 4 refers to "claim 2 or 3", and claim 3 to "claim 1 or 2"."""
    reference = single_reference(claim)
    parent = claims.get(claim.parents[0]) if claim.parents else None
    place = single_reference(parent) if parent else None
    if reference is None or parent is None or place is None or parent.number - parent.parents[0] < 2:
        return None
    low = parent.parents[0]
    several = splice(
        parent.text, place.start(), place.end(), f"any one of claims {low} to {parent.number - 1}"
    )
    edited = with_text(claims, parent.number, several)
    piece = f"claim {low} or {parent.number}"
    return spliced(edited, claim, *reference.span(), piece, LABEL, "multiple_on_multiple")


def both_parents(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "of claim 2" becomes "of claims 1 and 2"."""
    reference = single_reference(claim)
    parent = claims.get(claim.parents[0]) if claim.parents else None
    if reference is None or parent is None or len(parent.parents) != 1:
        return None
    piece = f"claims {parent.parents[0]} and {parent.number}"
    return spliced(claims, claim, *reference.span(), piece, LABEL, "both_parents")


def category_changed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "The pump of claim 1" becomes "The method of claim 1"."""
    opening = OPENING.match(claim.text)
    parent = claims.get(claim.parents[0]) if len(claim.parents) == 1 else None
    if opening is None or parent is None:
        return None
    methods = [bool(_METHOD.search(text[:80])) for text in (opening["subject"], parent.text)]
    if methods[0] != methods[1]:
        return None
    subject = rng.choice(_THINGS if methods[0] else ("method", "process"))
    found = spliced(claims, claim, *opening.span("subject"), subject, LABEL, "category_changed")
    end = min(found.end + 12, len(found.claims[claim.number].text))
    return Injection(found.claims, claim.number, found.label, found.subtype, 0, end)


def emptied(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The claim ends after its reference: it adds nothing."""
    reference, opening = single_reference(claim), OPENING.match(claim.text)
    if reference is None or opening is None or opening.end() != reference.start():
        return None
    text = f"{claim.text[: reference.end()]}."
    if text == claim.text or _OF_ITS_OWN.search(opening["subject"]):
        return None
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, "emptied", 0, len(text))


def _only_reference(claims: ClaimSet, claim: Claim) -> re.Match[str] | None:
    """The reference of a claim with exactly one, if it is a plain "claim N" that resolves."""
    found = single_reference(claim)
    # An earlier claim: what already refers to itself cannot lose its parent and stay.
    is_earlier = found is not None and claim.parents[0] < claim.number
    return found if is_earlier and claims.get(claim.parents[0]) is not None else None


def _repointed(claims: ClaimSet, claim: Claim, target: int, subtype: str) -> Injection | None:
    found = _only_reference(claims, claim)
    if found is None:
        return None
    return spliced(claims, claim, *found.span(), f"claim {target}", LABEL, subtype)
