"""The result of an injector, and the few operations on claim sets that injectors share.

An injector gets a sound claim set and a random generator, chooses its own place, and returns the set with one
defect and the places where the defect shows. Nothing here knows what the checks look for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of

_CLAIM = re.compile(r"\bclaim (?P<number>\d+)\b(?!\s*(?:,|or|and|to|through|-|–)\s*(?:claims?\s)?\d)")
_OPENING = re.compile(
    r"(?:An?|The)\s(?P<subject>[^,;:.]{2,80}?),?\s(?:of|in|by|as\s\w+(?:\s\w+)?\s(?:in|by)|according\sto|"
    r"in\saccordance\swith)\s(?P<reference>claim\s\d+)\b"
)


@dataclass(frozen=True, slots=True)
class DefectPlace:
    """text[start:end] of claim number `claim`, in the set that has the defect."""

    claim: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Defect:
    """A claim set with one defect. A finding that overlaps any of the places has found it."""

    claims: ClaimSet
    places: tuple[DefectPlace, ...]


Injector = Callable[[ClaimSet, Random], Defect | None]
"""Returns None if the set offers no place for this defect."""


def shuffled(claims: ClaimSet, rng: Random) -> list[Claim]:
    """The pending claims that end with a period, in random order."""
    sound = [claim for claim in claims if claim.text.endswith(".") and claim.pending]
    rng.shuffle(sound)
    return sound


def with_text(claims: ClaimSet, number: int, text: str) -> ClaimSet:
    """The set with one claim's text replaced and its references read again."""
    return ClaimSet(
        tuple(
            Claim(number, text, parents_of(text, number)) if claim.number == number else claim
            for claim in claims
        )
    )


def with_claim(claims: ClaimSet, text: str) -> tuple[ClaimSet, int]:
    """The set with one more claim at its end, and the number of that claim."""
    number = max(claim.number for claim in claims) + 1
    return ClaimSet((*claims, Claim(number, text, parents_of(text, number)))), number


def replaced(claims: ClaimSet, claim: Claim, start: int, end: int, piece: str) -> Defect:
    """One piece of a claim replaced; the defect is the inserted piece."""
    text = claim.text[:start] + piece + claim.text[end:]
    edited = with_text(claims, claim.number, text)
    return Defect(edited, (DefectPlace(claim.number, start, start + len(piece)),))


def appended(claims: ClaimSet, claim: Claim, clause: str) -> Defect:
    """A clause put before the final period, after a comma; the defect is the clause."""
    body = claim.text[:-1]
    edited = with_text(claims, claim.number, f"{body}, {clause}.")
    start = len(body) + 2
    return Defect(edited, (DefectPlace(claim.number, start, start + len(clause)),))


def dependent(claims: ClaimSet, number: int, clause: str) -> Defect | None:
    """A new claim at the end that depends on `number` and says no more than the clause."""
    subject = subject_of(claims, number)
    if subject is None:
        return None
    edited, added = with_claim(claims, f"The {subject} of claim {number}, {clause}.")
    text = edited[added].text
    start = len(text) - 1 - len(clause)
    return Defect(edited, (DefectPlace(added, start, len(text) - 1),))


def before(claims: ClaimSet, number: int, offset: int) -> str:
    """All that has been said, in lower case, when a claim's text reaches the offset."""
    found = (claims.get(ancestor) for ancestor in claims.ancestors(number))
    texts = [claim.text for claim in found if claim is not None]
    return " ".join((*texts, claims[number].text[:offset])).lower()


def only_reference(claim: Claim) -> re.Match[str] | None:
    """The "claim 3" of a claim that depends on claim 3 alone."""
    found = _CLAIM.search(claim.text)
    return found if found and claim.parents == (int(found["number"]),) else None


def opening(claim: Claim) -> re.Match[str] | None:
    """ "The pump of claim 1" at the beginning of a dependent claim (groups subject, reference)."""
    return _OPENING.match(claim.text) if len(claim.parents) == 1 else None


def body_start(claim: Claim) -> int:
    """Where a claim stops naming itself: after "The pump of claim 1", or after its first word."""
    found = opening(claim)
    return found.end() if found else 1


def subject_of(claims: ClaimSet, number: int) -> str | None:
    """The subject that claims depending on `number` or its ancestors give themselves."""
    family = {number, *claims.ancestors(number)}
    for claim in claims:
        found = opening(claim)
        if found is not None and family & set(claim.parents):
            return found["subject"]
    return None


def limbs(claim: Claim) -> Iterator[re.Match[str]]:
    """The parts of a body between colon, semicolons and the end, group `limb` without its marks."""
    colon = claim.text.find(":")
    if colon >= 0:
        yield from re.finditer(r"(?<=[:;])\s*(?:and\s+)?(?P<limb>[^\s;:][^;:]*)(?=[;.])", claim.text)
