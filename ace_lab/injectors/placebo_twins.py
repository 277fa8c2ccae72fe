"""Placebos that are the harmless twins of injectors: the same words at the same places."""

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.contradictions import (
    attributes_clause,
    measured_twice,
    relation_clause,
    substance_clause,
)
from ace_lab.injectors.edit_sites import PHRASE_END, appended, needs_introduction, single_reference, taken_up
from ace_lab.injectors.edits import Injection, Lexicon, chain_text, splice, with_text
from ace_lab.injectors.phrases import definite, indefinite, occurs
from ace_lab.injectors.terms import MEASURES, SUBSTANCES

LABEL = "pass"
_LIMBS = re.compile(r"(?<=[:;] )(?P<one>[a-z][^:;.]{5,}); (?P<other>(?!and )[a-z][^:;.]{5,})(?=;)")
_TAKES_UP = re.compile(r"\b(?:the|said|its|their|which|same|it|them|each|second|third|further|another)\b")


def relation_kept(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is longer than the rod and the rod is shorter than the lever"."""
    return _appended(claims, claim, relation_clause(claims, claim, rng, agrees=True), "relation_kept")


def attributes_together(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is both rigid and removable"."""
    clause = attributes_clause(claims, claim, rng, agrees=True)
    around = f"{claim.text} {chain_text(claims, claim.number)}".lower()
    # Nothing may have been said of what the clause is about that one of its words denies.
    if clause is None or re.search(r"\b(?:rigid|flexible|transparent|opaque|hollow|solid|fixed)\b", around):
        return None
    return _appended(claims, claim, clause, "attributes_together")


def substance_free(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the lever is made entirely of steel and contains no wood"."""
    around = f"{claim.text} {chain_text(claims, claim.number)}"
    if re.search(r"\b(?:made of|metal|polymer|plastic|wood|fiber|fibre)", around):
        return None
    return _appended(claims, claim, substance_clause(claims, claim, rng, agrees=True), "substance_free")


def range_kept(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The parent states a measure of its element, and the claim a narrower one."""
    found = measured_twice(claims, claim, rng, agrees=True)
    return found and Injection(found.claims, claim.number, LABEL, "range_kept")


def limbs_exchanged(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever; a spring; a rod fixed to the lever" with the first two in the other order."""
    places = [
        found
        for found in _LIMBS.finditer(claim.text)
        if not _TAKES_UP.search(found["one"]) and not _TAKES_UP.search(found["other"])
    ]
    if not places:
        return None
    found = rng.choice(places)
    text = splice(claim.text, *found.span(), f"{found['other']}; {found['one']}")
    return _placebo(claims, claim, text, "limbs_exchanged")


def numerals_agree(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever (12)" is taken up as "the lever (12)", everywhere in the claim."""
    for phrase in indefinite(claim.text):
        later = [one for one in definite(claim.text) if one.words == phrase.words and one.start > phrase.end]
        if later and len(re.findall(rf"\b{re.escape(phrase.text)}\b", claim.text)) == len(later) + 1:
            text, numeral = claim.text, f" ({rng.randint(10, 90)})"
            for one in (*reversed(later), phrase):
                text = splice(text, one.end, one.end, numeral)
            return _placebo(claims, claim, text, "numerals_agree")
    return None


def material_named(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a lever made of steel"."""
    places = [
        phrase.end
        for phrase in indefinite(claim.text)
        if phrase.start > 0 and PHRASE_END.match(claim.text, phrase.end)
    ]
    if not places:
        return None
    end = rng.choice(places)
    substance = rng.choice(SUBSTANCES)[0]
    piece = rng.choice((f" made of {substance}", f" of {substance}", f" that is formed of {substance}"))
    return _placebo(claims, claim, splice(claim.text, end, end, piece), "material_named")


def measure_stated(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "…, wherein the lever has a length of 5 cm"."""
    places = taken_up(claims, claim)
    measure, unit = rng.choice(MEASURES)
    around = f"{claim.text} {chain_text(claims, claim.number)}"
    if not places or occurs(measure, around):
        return None
    way = rng.choice(("of {}", "of at least {}", "of less than {}"))
    clause = f"wherein the {rng.choice(places).text} has a {measure} {way.format(rng.randint(2, 90))} {unit}"
    return _appended(claims, claim, clause, "measure_stated")


def choice_offered(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "of claim 2" becomes "of claim 1 or 2", where claim 1 introduces all that claim 3 takes up."""
    reference = single_reference(claim)
    parent = claims.get(claim.parents[0]) if reference else None
    above = claims.get(parent.parents[0]) if parent and len(parent.parents) == 1 else None
    if reference is None or parent is None or above is None or len(above.parents) > 1:
        return None
    basis = f"{above.text} {chain_text(claims, above.number)}"
    for phrase in filter(needs_introduction, definite(claim.text)):
        if not occurs(phrase.head, f"{basis} {claim.text[: phrase.start]}"):
            return None
    text = splice(claim.text, *reference.span(), f"claim {above.number} or {parent.number}")
    return _placebo(claims, claim, text, "choice_offered")


def _appended(claims: ClaimSet, claim: Claim, clause: str | None, subtype: str) -> Injection | None:
    found = appended(claims, claim, clause, LABEL, subtype) if clause else None
    return found and Injection(found.claims, claim.number, LABEL, subtype)


def _placebo(claims: ClaimSet, claim: Claim, text: str, subtype: str) -> Injection:
    return Injection(with_text(claims, claim.number, text), claim.number, LABEL, subtype)
