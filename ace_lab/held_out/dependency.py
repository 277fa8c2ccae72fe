"""Improper references (112(d) and (e); 37 CFR 1.75(c); MPEP 608.01(n)): to nothing, to the claim itself,
forward, circular, to a canceled claim, multiple on multiple, to another category.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from ace.claims.model import Claim, ClaimSet, Status
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    Injector,
    only_reference,
    opening,
    replaced,
    shuffled,
    with_text,
)

Target = Callable[[Claim], int | None]
_METHOD = re.compile(r"\b(?:method|process|procedure|use)\b", re.IGNORECASE)


def to_no_claim(claims: ClaimSet, rng: Random) -> Defect | None:
    """Claim 4 refers to a claim beyond the last."""
    last = max(claim.number for claim in claims)
    return _repointed(claims, rng, lambda _: last + rng.randint(1, 30))


def range_beyond_the_last(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "any one of claims 1 to 40" in a set of twenty."""
    last = max(claim.number for claim in claims)
    claim, reference = _dependent(claims, rng)
    if claim is None or reference is None:
        return None
    piece = f"any one of claims {claim.parents[0]} to {last + rng.randint(1, 9)}"
    return replaced(claims, claim, reference.start(), reference.end(), piece)


def to_itself(claims: ClaimSet, rng: Random) -> Defect | None:
    """Claim 4 refers to claim 4."""
    return _repointed(claims, rng, lambda claim: claim.number)


def to_a_later_claim(claims: ClaimSet, rng: Random) -> Defect | None:
    """Claim 4 refers to claim 6, which does not depend on it."""

    def later(claim: Claim) -> int | None:
        found = [
            other.number
            for other in claims
            if other.number > claim.number and claim.number not in claims.ancestors(other.number)
        ]
        return rng.choice(found) if found else None

    return _repointed(claims, rng, later)


def in_a_circle(claims: ClaimSet, rng: Random) -> Defect | None:
    """Claim 4 refers to claim 6, which depends on it; every claim of the circle shows it."""
    for claim in shuffled(claims, rng):
        reference = only_reference(claim)
        below = [other for other in claims if claim.number in claims.ancestors(other.number)]
        if reference is None or not below:
            continue
        last = rng.choice(below)
        piece = f"claim {last.number}"
        text = claim.text[: reference.start()] + piece + claim.text[reference.end() :]
        edited = with_text(claims, claim.number, text)
        circle = [other for other in edited if other.number in edited.ancestors(last.number)]
        spans = [(other, only_reference(other)) for other in (*circle, edited[last.number])]
        return Defect(edited, tuple(DefectPlace(one.number, *found.span()) for one, found in spans if found))
    return None


def to_a_canceled_claim(claims: ClaimSet, rng: Random) -> Defect | None:
    """The parent of claim 4 is canceled; every reference to it shows the defect."""
    claim, reference = _dependent(claims, rng)
    gone = claim.parents[0] if claim is not None else 0
    if claim is None or reference is None or claims.get(gone) is None or gone == claim.number:
        return None
    canceled = Claim(gone, "", (), Status.CANCELED)
    edited = ClaimSet(tuple(canceled if one.number == gone else one for one in claims))
    children = ((one, only_reference(one)) for one in edited if gone in one.parents)
    return Defect(edited, tuple(DefectPlace(one.number, *found.span()) for one, found in children if found))


def multiple_on_multiple(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "claim 1 or 2" in a claim that another one refers to by "claim 1 or 3"."""
    singles = [(claim, found) for claim in claims if (found := only_reference(claim))]
    pairs = [
        (lower, upper)
        for lower in singles
        for upper in singles
        if lower[0].number < upper[0].number and upper[0].parents != (lower[0].number,)
    ]
    pairs = [(one, other) for one, other in pairs if _other_earlier(claims, one[0]) is not None]
    if not pairs:
        return None
    (first, at), (second, place) = rng.choice(pairs)
    earlier = _other_earlier(claims, first)
    low, high = sorted((earlier or 0, first.parents[0]))
    text = first.text[: at.start()] + f"claim {low} or {high}" + first.text[at.end() :]
    edited = with_text(claims, first.number, text)
    numbers = sorted((second.parents[0], first.number))
    piece = rng.choice(("claim {} or claim {}", "any one of claims {} or {}", "either of claims {} or {}"))
    return replaced(edited, second, place.start(), place.end(), piece.format(*numbers))


def cumulative(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "of claim 1" becomes "of claims 1 and 2": both at once."""
    for claim in shuffled(claims, rng):
        begun, other = opening(claim), _other_earlier(claims, claim)
        if begun is not None and other is not None:
            low, high = sorted((other, claim.parents[0]))
            return replaced(claims, claim, *begun.span("reference"), f"claims {low} and {high}")
    return None


def of_another_category(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "The method of claim 1" where claim 1 is a device, or the other way round."""
    for claim in shuffled(claims, rng):
        begun = opening(claim)
        roots = [claims.get(number) for number in claims.ancestors(claim.number)]
        root = roots[-1] if roots else None
        if begun is None or root is None or root.parents:
            continue
        head = root.text[:60]
        if bool(_METHOD.search(head)) != bool(_METHOD.search(begun["subject"])):
            continue
        is_method = bool(_METHOD.search(head))
        subject = (
            rng.choice(("apparatus", "device", "system")) if is_method else rng.choice(("method", "process"))
        )
        start, end = begun.span("subject")
        edited = replaced(claims, claim, start, end, subject)
        shown = min(start + len(subject) + 20, len(edited.claims[claim.number].text))
        return Defect(edited.claims, (DefectPlace(claim.number, 0, shown),))
    return None


def nothing_added(claims: ClaimSet, rng: Random) -> Defect | None:
    """The claim stops after "The pump of claim 1"."""
    for claim in shuffled(claims, rng):
        begun = opening(claim)
        if begun is not None:
            text = claim.text[: begun.end()] + "."
            edited = with_text(claims, claim.number, text)
            return Defect(edited, (DefectPlace(claim.number, 0, len(text)),))
    return None


def _dependent(claims: ClaimSet, rng: Random) -> tuple[Claim | None, re.Match[str] | None]:
    found = ((claim, only_reference(claim)) for claim in shuffled(claims, rng))
    return next(((claim, reference) for claim, reference in found if reference), (None, None))


def _repointed(claims: ClaimSet, rng: Random, target: Target) -> Defect | None:
    for claim in shuffled(claims, rng):
        reference = only_reference(claim)
        number = target(claim) if reference else None
        if reference is not None and number is not None:
            return replaced(claims, claim, reference.start(), reference.end(), f"claim {number}")
    return None


def _other_earlier(claims: ClaimSet, claim: Claim) -> int | None:
    """An earlier claim of the same family that is not the parent."""
    family = set(claims.ancestors(claim.number))
    for other in claims:
        line = {other.number, *claims.ancestors(other.number)}
        if other.number < claim.number and other.number not in claim.parents and family & line:
            return other.number
    return None


INJECTORS: tuple[Injector, ...] = (
    to_no_claim,
    range_beyond_the_last,
    to_itself,
    to_a_later_claim,
    in_a_circle,
    to_a_canceled_claim,
    multiple_on_multiple,
    cumulative,
    of_another_category,
    nothing_added,
)
