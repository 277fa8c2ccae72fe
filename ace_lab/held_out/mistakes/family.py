"""A family of mistakes, and what its edits share: where to edit, new names, added clauses and claims.

One function makes the mistake and its twin, an edit of the same shape that is no defect, so that what the
rules find in the one is measured beside what they find in the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Protocol

from ace.claims.model import Claim, ClaimSet
from ace.claims.taxonomy import ErrorClass
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    before,
    opening,
    shuffled,
    subject_of,
    with_claim,
    with_text,
)
from ace_lab.held_out.elements import Elements, Named, unheard
from ace_lab.held_out.words import NOUNS

_BEGINNING = re.compile(
    r"(?:(?:An?|The|One or more)\s)?(?P<subject>[^,;:.]{2,80}?),?\s(?:compris|consist|includ|contain|for\b|"
    r"having|has\b|wherein|where|that|which|of\b|to\b|in\b|by\b|as\b|according|configured|executed|prepared|produced|"
    r"obtained|made|used|defined|described|recited|set\b)",
    re.IGNORECASE,
)
_METHOD = re.compile(r"\b(?:method|process|procedure|use)\s*\Z", re.IGNORECASE)
_REFERRING = (
    "of claim {}",
    "of claim {}",
    "according to claim {}",
    "as claimed in claim {}",
    "as recited in claim {}",
)


class Edit(Protocol):
    """Makes the mistake or its twin; None if the set offers no place for it."""

    __name__: str

    def __call__(self, claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None: ...


@dataclass(frozen=True, slots=True)
class Family:
    """A mistake that drafters make, of one class, and its clean twin."""

    error_class: ErrorClass
    edit: Edit

    @property
    def name(self) -> str:
        """The name of the edit."""
        return self.edit.__name__

    def mistake(self, claims: ClaimSet, rng: Random) -> Defect | None:
        """The set with the mistake, and where it shows."""
        return self.edit(claims, rng, wrong=True)

    def twin(self, claims: ClaimSet, rng: Random) -> Defect | None:
        """The set with an edit of the same shape that is no defect, and where it is."""
        return self.edit(claims, rng, wrong=False)


@dataclass(frozen=True, slots=True)
class Site:
    """A claim, and the names of two elements that it or a claim above it introduces (twice the same if there
    is one only)."""

    claim: Claim
    name: str
    other: str


@lru_cache(maxsize=4)
def elements_of(claims: ClaimSet) -> Elements:
    """The elements of a set, read once for all families."""
    return Elements(claims)


def site(claims: ClaimSet, rng: Random) -> Site | None:
    """A claim with an element that is alone of its kind, and that nothing closes to additions."""
    elements = elements_of(claims)
    for claim in shuffled(claims, rng):
        said = before(claims, claim.number, len(claim.text))
        known = elements.known_to(claim.number)
        heads = [each.head for each in known]
        alone = [each.name for each in known if heads.count(each.head) == 1]
        if alone and "consist" not in said:
            picked = rng.sample(alone, min(2, len(alone)))
            return Site(claim, picked[0], picked[-1])
    return None


def fresh(claims: ClaimSet, rng: Random, count: int = 1, *, among: Sequence[str] = NOUNS) -> list[str]:
    """Names of which nothing in the set reminds."""
    said = " ".join(claim.text for claim in claims).lower()
    return [word for word in rng.sample(among, len(among)) if unheard(word, said)][:count]


def several(noun: str) -> str:
    """The plural of a regular noun."""
    if re.search(r"[^aeiou]y\Z", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def subject(claims: ClaimSet, number: int) -> str | None:
    """What a claim that depends on this one calls itself after "The"."""
    claim = claims[number]
    begun = opening(claim)
    if begun is not None:
        return re.sub(r"\s(?:as|of|prepared|described|defined|recited)\Z", "", begun["subject"])
    own, below = _BEGINNING.match(claim.text), subject_of(claims, number)
    if own is None:
        return below
    same = below is not None and below.split()[-1] == own["subject"].split()[-1]
    return below if same else own["subject"]


def is_method(claims: ClaimSet, number: int) -> bool:
    """Whether the claim is one to a method, by the name that it or its independent claim gives itself."""
    for claim in (claims[number], claims[(number, *claims.ancestors(number))[-1]]):
        found = _BEGINNING.match(claim.text)
        if found is not None:
            return _METHOD.search(found["subject"]) is not None
    return False


def adding(claims: ClaimSet, number: int, what: str) -> str:
    """ "further comprising a lever", or in a method "further comprising providing a lever"."""
    return f"further comprising {'providing ' if is_method(claims, number) else ''}{what}"


def about(rng: Random, phrase: str, other: str, *, many: bool = False) -> str:
    """A clause that says something harmless of the thing that a phrase names and another one."""
    verb = "are" if many else "is"
    return rng.choice(
        (
            f"wherein {phrase} {verb} attached to the {other}",
            f"wherein {phrase} {verb} arranged next to the {other}",
            f"wherein the {other} is connected to {phrase}",
            f"wherein the {other} faces {phrase}",
            f"wherein a distance between the {other} and {phrase} is 3 mm",
            f"wherein {phrase} {verb} in contact with the {other}",
        )
    )


def at_end(claims: ClaimSet, number: int, clause: str, piece: str | None = None) -> Defect:
    """The clause before the final period, after a comma; the place is that of the piece in it."""
    body = claims[number].text[:-1]
    return _placed(with_text(claims, number, f"{body}, {clause}."), number, clause, piece)


def in_new_claim(
    claims: ClaimSet, rng: Random, number: int, clause: str, piece: str | None = None
) -> Defect | None:
    """The clause as all that a new claim says, which depends on the numbered one."""
    name = subject(claims, number)
    if name is None:
        return None
    edited, added = with_claim(claims, f"The {name} {rng.choice(_REFERRING).format(number)}, {clause}.")
    return _placed(edited, added, clause, piece)


def somewhere(
    claims: ClaimSet, rng: Random, number: int, clause: str, piece: str | None = None
) -> Defect | None:
    """The clause at the end of the claim or in a new one."""
    if rng.random() < 0.5:
        return at_end(claims, number, clause, piece)
    return in_new_claim(claims, rng, number, clause, piece)


def stated(claims: ClaimSet, rng: Random, number: int, first: str, second: str) -> Defect | None:
    """Two clauses, side by side or the second in a new dependent claim; the place is the second's."""
    if rng.random() < 0.4:
        return at_end(claims, number, f"{first}, and {second}", second)
    return in_new_claim(at_end(claims, number, first).claims, rng, number, second)


def introduced(claims: ClaimSet, rng: Random, thing: str, clause: str, piece: str) -> Defect | None:
    """Something is added, and a clause speaks of it: in the same breath, or in a new dependent claim."""
    found = site(claims, rng)
    if found is None:
        return None
    number = found.claim.number
    addition, said = adding(claims, number, thing), clause.replace("{other}", found.other)
    if rng.random() < 0.5:
        return somewhere(claims, rng, number, f"{addition}, {said}", piece)
    return in_new_claim(at_end(claims, number, addition).claims, rng, number, said, piece)


def among(claims: ClaimSet, rng: Random, mentions: Sequence[Named]) -> Named | None:
    """One of these mentions, in a claim that ends well."""
    sound = {claim.number for claim in shuffled(claims, rng)}
    left = [each for each in mentions if each.claim in sound]
    return rng.choice(left) if left else None


def _placed(edited: ClaimSet, number: int, clause: str, piece: str | None) -> Defect:
    text = edited[number].text
    start = text.rindex(clause)
    if piece is not None:
        start += clause.rindex(piece)
    return Defect(edited, (DefectPlace(number, start, start + len(piece or clause)),))
