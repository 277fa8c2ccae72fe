"""Numbers and status identifiers of a filing (37 CFR 1.75(f), 1.121(c), 1.126): misspelt, missing, out of
order, used twice, left out. Most sets are written as text and read again, because only a text shows such
defects.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.readers import read_text
from ace_lab.held_out.edits import Defect, DefectPlace, shuffled
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import adding, fresh, site, subject

_SOUND = (
    "Original",
    "Currently Amended",
    "Previously Presented",
    "New",
    "Currently amended",
    "Previously presented",
)
_MISSPELT = (
    "Currenty amended",
    "Curently Amended",
    "Orignal",
    "Original Claim as amnded",
    "Previously presentd",
    "Previosly Presented",
    "Currently ammended",
    "Withdrawen",
    "Newly aded",
    "Amended herwith",
)
_SHOWN = 40


def status_misspelt(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "(Currenty amended)". Twin: "(Currently Amended)"."""
    return _with_statuses(claims, rng, rng.choice(_MISSPELT if wrong else _SOUND))


def status_missing(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """Every claim has its identifier but one (37 CFR 1.121(c)). Twin: that one is "(New)"."""
    return _with_statuses(claims, rng, None if wrong else "New")


def number_left_out(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """A claim was struck and the rest keep their numbers. Twin: it is shown as canceled."""
    numbers = [claim.number for claim in claims]
    free = [each for each in claims if not any(each.number in other.parents for other in claims)]
    free = [each for each in free if each.number not in (numbers[0], numbers[-1]) and each.pending]
    if not free or numbers != list(range(1, len(numbers) + 1)):
        return None
    gone = rng.choice(free).number
    kept = [each for each in claims if each.number != gone]
    canceled = Claim(gone, "", (), Status.CANCELED)
    edited = ClaimSet(
        tuple(kept) if wrong else tuple(canceled if each.number == gone else each for each in claims)
    )
    return Defect(edited, (_start_of(edited, gone + 1),))


def numbers_out_of_order(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """Two new claims come in the wrong order. Twin: in the right one."""
    made = _two_more(claims, rng)
    if made is None:
        return None
    first, second = made
    order = (second, first) if wrong else (first, second)
    edited = ClaimSet((*claims, *order))
    return Defect(edited, tuple(_start_of(edited, each.number) for each in order))


def number_used_twice(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """Two new claims have one number. Twin: each has its own."""
    made = _two_more(claims, rng)
    if made is None:
        return None
    first, second = made
    lines = {claim.number: claim.text for claim in (*claims, first)}
    text = _written(lines) + f"\n{first.number if wrong else second.number}. {second.text}"
    edited = _read(text, len(claims) + 2)
    if edited is None:
        return None
    last = edited.claims[-1].number
    return Defect(
        edited,
        (_start_of(edited, first.number), _start_of(edited, last)) if wrong else (_start_of(edited, last),),
    )


def _with_statuses(claims: ClaimSet, rng: Random, one: str | None) -> Defect | None:
    """Each claim of an amendment with a sound identifier, and one claim with this one or none."""
    ended = shuffled(claims, rng)
    if not ended or not all(claim.pending for claim in claims):
        return None
    sound, odd = rng.choice(_SOUND), ended[0].number
    lines = {claim.number: f"({sound}) {claim.text}" for claim in claims}
    lines[odd] = f"({one}) {claims[odd].text}" if one else claims[odd].text
    edited = _read(_written(lines), len(claims))
    return None if edited is None else Defect(edited, (_start_of(edited, odd),))


def _two_more(claims: ClaimSet, rng: Random) -> tuple[Claim, Claim] | None:
    """Two sound claims for the end of the set, with the numbers that follow its last."""
    found = site(claims, rng)
    name = subject(claims, found.claim.number) if found else None
    if found is None or name is None:
        return None
    number, last = found.claim.number, max(claim.number for claim in claims)
    things = fresh(claims, rng, 2)
    texts = [f"The {name} of claim {number}, {adding(claims, number, a(thing))}." for thing in things]
    one, other = (Claim(last + at, text, (number,)) for at, text in enumerate(texts, start=1))
    return one, other


def _written(lines: Mapping[int, str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in lines.items())


def _read(text: str, count: int) -> ClaimSet | None:
    """The set as read from the text, if it has as many claims as were written."""
    found = read_text(text, partial=True)
    return found if len(found) == count else None


def _start_of(claims: ClaimSet, number: int) -> DefectPlace:
    return DefectPlace(number, 0, min(_SHOWN, len(claims[number].text)))


EDITS = (status_misspelt, status_missing, number_left_out, numbers_out_of_order, number_used_twice)
