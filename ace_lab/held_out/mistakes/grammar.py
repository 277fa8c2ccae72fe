"""Words that do not make a sentence (37 CFR 1.75; MPEP 608.01(m)): lost or doubled, of the wrong number or
sound, a capital inside, a blank that nobody filled, "compromising".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.held_out.edits import Defect, DefectPlace, body_start, replaced, shuffled
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import adding, among, elements_of, fresh, site, somewhere

_LOST = (
    ("configured to ", "configured "),
    ("adapted to ", "adapted "),
    ("at least one of the ", "at least of the "),
    ("a plurality of ", "a plurality "),
    ("based on ", "based "),
    ("connected to ", "connected "),
    ("coupled to ", "coupled "),
    ("consisting of ", "consisting "),
    ("selected from the group ", "selected the group "),
    ("in response to ", "in response "),
    ("according to ", "according "),
    ("one or more ", "one more "),
    ("in the form of ", "in the form "),
    ("relative to ", "relative "),
)
_SYNONYMS = (
    ("configured to ", "adapted to "),
    ("adapted to ", "configured to "),
    ("a plurality of ", "two or more "),
    ("based on ", "on the basis of "),
    ("connected to ", "joined to "),
    ("coupled to ", "joined to "),
    ("in response to ", "upon "),
    ("relative to ", "with respect to "),
    ("according to ", "in accordance with "),
    ("one or more ", "at least one "),
)
_DOUBLED = re.compile(
    r"(?<=\s)(?P<words>(?:of|on|in|to|from|with|by|for|at) (?:the|said|an?)|"
    r"(?:is|are|wherein|comprising|and|which|that))(?=\s[a-z])"
)
_TWICE = ("side by side", "step by step", "layer by layer", "again and again", "more and more", "end to end")
_PLACEHOLDERS = (
    "[insert value]",
    "XX mm",
    "___ mm",
    "[TBD]",
    "?? mm",
    "<length>",
    "[check with inventor]",
    "NN %",
)
_CAPITAL = re.compile(r"(?<=[,;] )(?P<word>wherein|an?|and|which|the|said)(?=\s[a-z])")
_MATTER = ("USB", "PVC", "LED", "GPS", "Hall-effect", "Venturi", "Peltier", "Ethernet")


def word_lost(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "configured to rotate" becomes "configured rotate". Twin: "adapted to rotate"."""
    return _exchanged(claims, rng, _LOST if wrong else _SYNONYMS)


def words_doubled(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "on the on the base". Twin: "side by side"."""
    if not wrong:
        found, words = site(claims, rng), rng.choice(_TWICE)
        clause = f"wherein layers of the {found.name} are placed {words}" if found else ""
        return somewhere(claims, rng, found.claim.number, clause, words) if found else None
    for claim in shuffled(claims, rng):
        places = [each for each in _DOUBLED.finditer(claim.text) if each.start() >= body_start(claim)]
        if places:
            place = rng.choice(places)
            return replaced(claims, claim, *place.span(), f"{place['words']} {place['words']}")
    return None


def two_determiners(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the a lever", "a the lever", "the said lever". Twin: "only the lever"."""
    one = among(claims, rng, elements_of(claims).taken_up)
    if one is None:
        return None
    before = rng.choice(
        ("the a", "a the", "an the", "the the", "said a", "a said") if wrong else ("only the", "just the")
    )
    return replaced(claims, claims[one.claim], one.start, one.end, f"{before} {one.name}")


def article_before_the_wrong_sound(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "an lever", "a axle". Twin: "an LED", "a unit", "an hour"."""
    if not wrong:
        found = site(claims, rng)
        words = rng.choice(
            ("a unit", "an LED", "a European plug", "an X-ray tube", "a one-way valve", "an 8-bit bus")
        )
        number = found.claim.number if found else 0
        return somewhere(claims, rng, number, adding(claims, number, words), words) if found else None
    plain = [
        each
        for each in elements_of(claims).introduced
        if re.match(r"[bdfgklmprtvaei][a-z]{3}", each.written[0])
    ]
    plain = [each for each in plain if not re.match(r"eu|one|un", each.written[0])]
    one = among(claims, rng, [each for each in plain if each.start > 0])
    if one is None:
        return None
    article = "an" if one.article == "a" else "a"
    return replaced(claims, claims[one.claim], one.start, one.end, f"{article} {one.name}")


def verb_disagrees(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the lever are fixed". Twin: "the lever and the lid are fixed"."""
    found = site(claims, rng)
    if found is None or found.name == found.other or found.name.endswith("s"):
        return None
    thing = f"the {found.name}" if wrong else f"the {found.name} and the {found.other}"
    said = rng.choice(
        ("are fixed to a wall", "have a smooth surface", "are made of steel", "are arranged in a box")
    )
    return somewhere(claims, rng, found.claim.number, f"wherein {thing} {said}", f"{thing} {said}")


def capital_inside(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a rotor; A shaft" (MPEP 608.01(m)). Twin: the capitals of a name."""
    if not wrong:
        found, (noun, *_) = site(claims, rng), fresh(claims, rng)
        number = found.claim.number if found else 0
        words = f"a {rng.choice([each for each in _MATTER if each[0] not in 'LEH'])} {noun}"
        return somewhere(claims, rng, number, adding(claims, number, words), words) if found else None
    for claim in shuffled(claims, rng):
        places = list(_CAPITAL.finditer(claim.text))
        if places:
            place = rng.choice(places)
            return replaced(claims, claim, *place.span(), place["word"].capitalize())
    return None


def placeholder_left(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a length of XX mm". Twin: "a length of 12 mm"."""
    found = site(claims, rng)
    if found is None:
        return None
    value = rng.choice(_PLACEHOLDERS) if wrong else f"{rng.randint(2, 90)} mm"
    x, *_ = fresh(claims, rng)
    number = found.claim.number
    clause = f"{adding(claims, number, a(x))} having a length of {value}"
    return somewhere(claims, rng, number, clause, value)


def comprising_misused(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "compromising", "comprising of", "comprising including". Twin: "which comprises"."""
    for claim in shuffled(claims, rng):
        found = re.search(r"\bcomprising(?=:? [a-z])", claim.text)
        if (
            found is not None
            and not claim.parents
            and not claim.text[: found.start()].endswith(("further ", "that "))
        ):
            piece = rng.choice(
                (
                    "compromising",
                    "comprising of",
                    "comprising including",
                    "comprsing",
                    "comprising comprising",
                )
            )
            piece = piece if wrong else rng.choice(("including", "which comprises", "that comprises"))
            return replaced(claims, claim, *found.span(), piece)
    return None


def _exchanged(claims: ClaimSet, rng: Random, pairs: Sequence[tuple[str, str]]) -> Defect | None:
    for claim in shuffled(claims, rng):
        places = list(_phrases(claim, pairs))
        if places:
            start, old, new = rng.choice(places)
            defect = replaced(claims, claim, start, start + len(old), new)
            return Defect(defect.claims, (DefectPlace(claim.number, start, start + len(new) + 3),))
    return None


def _phrases(claim: Claim, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[int, str, str]]:
    for old, new in pairs:
        for found in re.finditer(rf"(?<= ){re.escape(old)}(?=[a-z])", claim.text):
            yield found.start(), old, new


EDITS = (
    word_lost,
    words_doubled,
    two_determiners,
    article_before_the_wrong_sound,
    verb_disagrees,
    capital_inside,
    placeholder_left,
    comprising_misused,
)
