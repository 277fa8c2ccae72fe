"""Injectors used only to fit confidences: an element that is already there is introduced again.

Rules find this and an examiner may object, but whether it makes a claim indefinite depends on the case
(MPEP 2173.05(o)), so no data set is built with it.
"""

from dataclasses import replace
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import appended, single_reference, spliced, taken_up
from ace_lab.injectors.edits import Injection, Injector, Lexicon
from ace_lab.injectors.phrases import article_for, indefinite

LABEL = "antecedent"


def introduced_again(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "a lever", although a lever is there already."""
    places = taken_up(claims, claim)
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{article_for(phrase.text)} {phrase.text}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "introduced_again")


def further_comprised(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A dependent claim ends in "further comprising a drive lever", although its parent has one."""
    parent = claims.get(claim.parents[0]) if single_reference(claim) else None
    names = [
        phrase.text
        for phrase in (indefinite(parent.text) if parent else ())
        if len(phrase.words) > 1 and phrase.text not in claim.text
    ]
    if not names:
        return None
    name, says = rng.choice(names), "further comprising "
    found = appended(claims, claim, f"{says}{article_for(name)} {name}", LABEL, "further_comprised")
    return found and replace(found, start=found.start + len(says))


REINTRODUCTIONS: dict[str, tuple[Injector, ...]] = {
    "antecedent": (introduced_again, further_comprised),
    "dependency": (),
    "logical": (),
    "ambiguity": (),
    "syntax": (),
}
"""By class. Each is tried as often as any injector of `INJECTORS`."""
