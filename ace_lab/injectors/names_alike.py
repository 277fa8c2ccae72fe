"""Injectors used only to fit confidences: a name that fits two elements, and half of a compound name.

"The lever" says nothing of which, where an upper and a lower lever were introduced; "the airflow" was never
introduced by "an airflow directing member" (MPEP 2173.05(e)). No data set is built with these.
"""

from dataclasses import replace
from random import Random

from ace.claims.language.lexicon import ORDINALS
from ace.claims.language.words import is_plural
from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import appended, renamed_phrase, taken_up
from ace_lab.injectors.edits import Injection, Injector, Lexicon, borrowed_noun, chain_text
from ace_lab.injectors.phrases import article_for, indefinite

LABEL = "antecedent"
_PAIRS = (
    *(("first", "second"), ("upper", "lower"), ("front", "rear"), ("inner", "outer"), ("left", "right")),
    *(
        ("inlet", "outlet"),
        ("drive", "guide"),
        ("master", "slave"),
        ("input", "output"),
        ("fixed", "movable"),
    ),
)
_TAILS = (
    *(
        "guide",
        "directing member",
        "receiving portion",
        "sensor",
        "supply unit",
        "detection module",
        "holder",
    ),
    *(
        "storage device",
        "control circuit",
        "mounting bracket",
        "generator",
        "processing unit",
        "adjusting screw",
    ),
)
_PREDICATES = (
    *("is made of brass", "is removable", "faces a wall", "is arranged at a distance from a window"),
    *("extends along an axis", "is monitored", "has a length of 5 cm", "is connected to a controller"),
)


def qualifier_dropped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the guide lever" becomes "the lever", where there is a drive lever too."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    names = {each.words for each in indefinite(said) if len(each.words) > 1}
    places = [
        phrase
        for phrase in taken_up(claims, claim)
        if len(phrase.words) == 2
        and phrase.words[0] not in ORDINALS
        and not is_plural(phrase.head.lower())
        and f"a {phrase.head.lower()} " not in said
        and any(name[-1] == phrase.head.lower() and name[0] != phrase.words[0].lower() for name in names)
    ]
    return renamed_phrase(claims, claim, rng, places, LABEL, "qualifier_dropped", lambda p: p.head)


def alike_added(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """ "further comprising an upper lever and a lower lever, wherein the lever …"."""
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    if noun is None:
        return None
    one, other = rng.choice(_PAIRS)
    says = f"further comprising {article_for(one)} {one} {noun} and {article_for(other)} {other} {noun}"
    return _taken_up_wrongly(claims, claim, rng, says, noun, "alike_added")


def compound_cut(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """ "further comprising an airflow directing member, wherein the airflow …"."""
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    if noun is None:
        return None
    says = f"further comprising {article_for(noun)} {noun} {rng.choice(_TAILS)}"
    return _taken_up_wrongly(claims, claim, rng, says, noun, "compound_cut")


def _taken_up_wrongly(
    claims: ClaimSet, claim: Claim, rng: Random, says: str, noun: str, subtype: str
) -> Injection | None:
    """The clause `says` at the end of the claim, and what is then said of "the <noun>": the defect."""
    found = appended(claims, claim, f"{says}, wherein the {noun} {rng.choice(_PREDICATES)}", LABEL, subtype)
    if found is None:
        return None
    start = found.start + len(f"{says}, wherein ")
    return replace(found, start=start, end=start + len(f"the {noun}"))


NAMES_ALIKE: tuple[Injector, ...] = (qualifier_dropped, alike_added, compound_cut)
"""All of the class antecedent. Each is tried as often as any injector of `INJECTORS`."""
