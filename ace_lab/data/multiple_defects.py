"""Several defects in one claim set, up to the paper's density of 5 to 15 of one class, each with its place.

Injectors are applied in sequence. Each edit shifts the places marked before it. An edit that would spoil a
marked defect, or make another claim defective without a mark, is not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ace.claims.model import ClaimSet
from ace_lab.data.rows import Defect
from ace_lab.injectors.edits import Injection, Injector, Lexicon

LEAST, MOST = 5, 15
"""Defects in a set (paper, appendix C)."""

_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class MarkedSet:
    """A claim set with the defects put into it."""

    claims: ClaimSet
    defects: tuple[Defect, ...] = ()


def with_defects(
    claims: ClaimSet,
    injectors: Sequence[tuple[Injector, int]],
    rng: Random,
    lexicon: Lexicon,
    *,
    once: bool = False,
) -> MarkedSet | None:
    """The set with 5 to 15 edits by these (injector, weight) pairs, or None if fewer than 5 fit.

    The claims are tried in random order, up to three times, so that a claim gets several edits only if the
    set has fewer claims than the edits requested; with `once`, never.
    """
    asked, made, marked = rng.randint(LEAST, MOST), 0, MarkedSet(claims)
    for _ in range(_ROUNDS):
        numbers = [claim.number for claim in claims]
        rng.shuffle(numbers)
        for number in numbers:
            if made == asked:
                return marked
            if once and any(defect.claim == number for defect in marked.defects):
                continue
            more = with_edit(marked, number, injectors, rng, lexicon)
            if more is not None:
                marked, made = more, made + 1
    return marked if made >= LEAST else None


def with_injection(marked: MarkedSet, injection: Injection) -> MarkedSet | None:
    """The set after one more edit, with all places updated; None if the edit may not be made."""
    if not _keeps_references(marked.claims, injection.claims):
        return None
    moved = [_moved(defect, marked.claims, injection.claims) for defect in marked.defects]
    kept = tuple(defect for defect in moved if defect is not None)
    if len(kept) < len(moved):
        return None
    if injection.end == injection.start:
        return MarkedSet(injection.claims, kept)
    new = Defect(injection.number, injection.start, injection.end, injection.subtype)
    if any(new.claim == old.claim and new.start < old.end and old.start < new.end for old in kept):
        return None
    return MarkedSet(injection.claims, (*kept, new))


def with_edit(
    marked: MarkedSet,
    number: int,
    injectors: Sequence[tuple[Injector, int]],
    rng: Random,
    lexicon: Lexicon,
) -> MarkedSet | None:
    """The set after an edit by one of these (injector, weight) pairs in one claim; None if none fits."""
    claim = marked.claims.get(number)
    if claim is None:
        return None
    # Sorted by weighted random keys: the heavier tend to come first.
    for injector, _ in sorted(injectors, key=lambda one: -(rng.random() ** (1 / one[1]))):
        injection = injector(marked.claims, claim, rng, lexicon)
        if injection is None or injection.number != number:
            continue
        more = with_injection(marked, injection)
        if more is not None:
            return more
    return None


def _moved(defect: Defect, before: ClaimSet, after: ClaimSet) -> Defect | None:
    """The defect at its place after an edit, or None if the edit touched it."""
    claim = after.get(defect.claim)
    if claim is None:
        return None
    old, new = before[defect.claim].text, claim.text
    if old == new:
        return defect
    shift = len(new) - len(old)
    if new.startswith(old[: defect.end]):
        return defect
    if new.endswith(old[defect.start :]):
        return Defect(defect.claim, defect.start + shift, defect.end + shift, defect.edit)
    return None


def _keeps_references(before: ClaimSet, after: ClaimSet) -> bool:
    """Whether at most one claim, the edited one, refers to what the edit removed or canceled."""
    left = {claim.number for claim in after if claim.pending}
    gone = {claim.number for claim in before if claim.number not in left}
    return sum(not gone.isdisjoint(claim.parents) for claim in after) <= 1
