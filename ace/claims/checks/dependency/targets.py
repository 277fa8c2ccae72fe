"""Whether a reference means claims that exist and come before it, and combines them as the law allows."""

from __future__ import annotations

import re
from typing import Final

from ace.claims.checks.dependency.claim_relations import ClaimRelations
from ace.claims.checks.dependency.rules import RULE
from ace.claims.findings import Fix, Flaw
from ace.claims.model import Claim
from ace.claims.references.claim_references import Manner, Reference
from ace.claims.rules import Rule

_FOLLOWING: Final = re.compile(r"\b(?:following|subsequent|succeeding)\b", re.IGNORECASE)
_CLAIM: Final = re.compile(r"claims?\b", re.IGNORECASE)
_THE: Final = re.compile(r"\bthe\s\Z", re.IGNORECASE)


def misdirected(relations: ClaimRelations, claim: Claim, reference: Reference) -> Flaw | None:
    """The most serious flaw in the target of the reference, or None."""
    return _broken(relations, claim, reference) or _misjoined(relations, claim, reference)


def _flaw(rule: Rule, reference: Reference, explanation: str, *signals: str, fix: Fix | None = None) -> Flaw:
    return Flaw(rule, reference.start, reference.end, explanation, fix, signals)


def _broken(relations: ClaimRelations, claim: Claim, reference: Reference) -> Flaw | None:
    own = claim.number
    if not reference.numbers:
        return _names_no_claim(claim, reference)
    if reference.preceding:
        return None
    if own in reference.numbers:
        return _flaw(RULE["self"], reference, f"Claim {own} refers to itself.")
    return _lost(relations, own, reference) or _forward(relations, own, reference)


def _lost(relations: ClaimRelations, own: int, reference: Reference) -> Flaw | None:
    for number in reference.numbers:
        words = f"Claim {own} refers to claim {number}, which"
        parent = relations.claims.get(number)
        if parent is None:
            return _flaw(RULE["nonexistent"], reference, f"{words} does not exist.")
        if not parent.pending:
            return _flaw(RULE["canceled"], reference, f"{words} is canceled.")
    return None


def _forward(relations: ClaimRelations, own: int, reference: Reference) -> Flaw | None:
    later = [number for number in reference.numbers if number > own]
    if not later:
        return None
    circular = next((number for number in later if relations.in_circle(own, number)), None)
    if circular is not None:
        return _flaw(RULE["circular"], reference, f"Claims {own} and {circular} depend on each other.")
    return _flaw(RULE["forward"], reference, f"Claim {own} refers forward to claim {later[0]}.")


def _names_no_claim(claim: Claim, reference: Reference) -> Flaw:
    subtype, what = "unnumbered", "does not say to which claim it refers"
    if reference.preceding:
        subtype, what = "nonexistent", "refers to a preceding claim, but there is none"
    elif _FOLLOWING.search(claim.text, reference.start, reference.end):
        subtype, what = "forward", "refers forward to the claims after it"
    return _flaw(RULE[subtype], reference, f"Claim {claim.number} {what}.")


def _misjoined(relations: ClaimRelations, claim: Claim, reference: Reference) -> Flaw | None:
    if not reference.several:
        return None
    other = reference.other_category and not relations.named_in_full(claim, reference)
    signals = ("other_category",) if other else ()
    for number in reference.numbers:
        multiple = relations.multiple_below(number)
        if multiple is not None and multiple != claim.number:
            through = (
                "does so too" if multiple == number else f"depends on claim {multiple}, which does so too"
            )
            words = f"Claim {claim.number} refers to several claims; claim {number} {through}."
            return _flaw(RULE["multiple_on_multiple"], reference, words, *signals)
    if not other and reference.manner in (Manner.CUMULATIVE, Manner.RANGE):
        words = f"Claim {claim.number} refers to several claims, but not in the alternative only."
        fix = _in_the_alternative(claim.text, reference)
        return _flaw(RULE["cumulative"], reference, words, reference.manner.value, fix=fix)
    first = next(each for each in relations.references[claim.number] if each.several)
    if first is not reference and not first.other_category:
        words = f"Claim {claim.number} refers to a second set of several claims."
        return _flaw(RULE["two_sets"], reference, words, *signals)
    return None


def _in_the_alternative(text: str, reference: Reference) -> Fix | None:
    """ "claims 1 and 2" becomes "any one of claims 1 and 2" (MPEP 608.01(n) I.A)."""
    if reference.preceding:
        return None
    word = _CLAIM.match(text, reference.start)
    if word is None:
        return None
    the = _THE.search(text, max(0, reference.start - 8), reference.start)
    start = the.start() if the is not None else reference.start
    return Fix(start, word.end(), "any one of claims")
