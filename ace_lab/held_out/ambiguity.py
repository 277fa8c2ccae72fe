"""Words of unclear scope (MPEP 2173.05(b), (d), (h), (u)): matters of taste, degrees without a measure,
examples, preferences, open alternatives, trademarks.
"""

from __future__ import annotations

from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.held_out.edits import Defect, Injector, appended, body_start, replaced, shuffled
from ace_lab.held_out.elements import Elements, Named, a
from ace_lab.held_out.words import (
    DEGREE_CLAUSES,
    DEGREES,
    EXAMPLES,
    NOUNS,
    OPEN_ENDS,
    PREFERENCES,
    TASTE,
    TASTE_CLAUSES,
    TRADEMARKS,
)


def matter_of_taste(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a housing" becomes "a beautiful housing"."""
    return _qualified(claims, rng, TASTE)


def taste_clause(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "wherein the housing looks attractive to a viewer"."""
    return _clause(claims, rng, TASTE_CLAUSES)


def degree_without_measure(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a groove" becomes "a relatively shallow groove"."""
    return _qualified(claims, rng, DEGREES)


def degree_clause(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "wherein the groove is of considerable size"."""
    return _clause(claims, rng, DEGREE_CLAUSES)


def example(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a fastener" becomes "a fastener, such as a zipper,"."""
    return _after(claims, rng, rng.choice(EXAMPLES).format(a(rng.choice(NOUNS))))


def open_end(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a fastener" becomes "a fastener or the like"."""
    return _after(claims, rng, rng.choice(OPEN_ENDS))


def preference(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a fastener" becomes "a fastener, preferably made of steel,"."""
    return _after(claims, rng, f", {rng.choice(PREFERENCES)},")


def preferred_value(claims: ClaimSet, rng: Random) -> Defect | None:
    """A broad range and, within it, a narrow one in the same claim (MPEP 2173.05(c) I)."""
    low = rng.randint(2, 9)
    ending = rng.choice(("preferably from {} mm to {} mm", "more preferably {} to {} mm"))
    clause = f"has a length of {low} mm to {low * 10} mm, {ending.format(low * 2, low * 5)}"
    return _clause(claims, rng, (clause,))


def and_or(claims: ClaimSet, rng: Random) -> Defect | None:
    """ "a fastener" becomes "a fastener and/or a zipper"."""
    return _after(claims, rng, f" and/or {a(rng.choice(NOUNS))}")


def open_group(claims: ClaimSet, rng: Random) -> Defect | None:
    """A Markush group that is not closed (MPEP 2173.05(h) I)."""
    one, two, three = rng.sample(("steel", "copper", "glass", "rubber", "wood", "cotton", "brass"), 3)
    begun = rng.choice(
        (
            "is made of a material selected from the group comprising",
            "is selected from a group including",
            "is made of a material chosen from the group comprising",
        )
    )
    return _clause(claims, rng, (f"{begun} {one}, {two} and {three}",))


def trademark(claims: ClaimSet, rng: Random) -> Defect | None:
    """A trademark as the name of a material (MPEP 2173.05(u))."""
    verb = rng.choice(("is made of", "is coated with", "comprises", "is a layer of"))
    return _clause(claims, rng, (f"{verb} {rng.choice(TRADEMARKS)}",))


def _qualified(claims: ClaimSet, rng: Random, terms: tuple[str, ...]) -> Defect | None:
    one = _introduced(claims, rng)
    if one is None:
        return None
    return replaced(claims, claims[one.claim], one.start, one.end, a(f"{rng.choice(terms)} {one.name}"))


def _clause(claims: ClaimSet, rng: Random, predicates: tuple[str, ...]) -> Defect | None:
    elements = Elements(claims)
    for claim in shuffled(claims, rng):
        known = elements.known_to(claim.number)
        if known:
            return appended(claims, claim, f"wherein the {rng.choice(known).name} {rng.choice(predicates)}")
    return None


def _after(claims: ClaimSet, rng: Random, piece: str) -> Defect | None:
    one = _introduced(claims, rng)
    if one is None:
        return None
    claim = claims[one.claim]
    if piece.endswith(",") and claim.text[one.end : one.end + 1] in tuple(",;:."):
        piece = piece.removesuffix(",")
    return replaced(claims, claim, one.end, one.end, piece)


def _introduced(claims: ClaimSet, rng: Random) -> Named | None:
    """An element past the opening of a claim that ends well."""
    sound: dict[int, Claim] = {claim.number: claim for claim in shuffled(claims, rng)}
    places = [
        each
        for each in Elements(claims).introduced
        if each.claim in sound and each.start >= body_start(sound[each.claim])
    ]
    return rng.choice(places) if places else None


INJECTORS: tuple[Injector, ...] = (
    matter_of_taste,
    taste_clause,
    degree_without_measure,
    degree_clause,
    example,
    open_end,
    preference,
    preferred_value,
    and_or,
    open_group,
    trademark,
)
