"""Statements that exclude each other (112(b); MPEP 2173.02, 2173.03): states and motions, parts had and
denied, one and several, materials, places, always and sometimes, orders of steps, outcomes of one condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ace.claims.model import ClaimSet
from ace_lab.held_out.edits import Defect
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import (
    adding,
    at_end,
    fresh,
    in_new_claim,
    is_method,
    several,
    site,
    stated,
)
from ace_lab.held_out.mistakes.statements import (
    MATERIALS,
    MEMBERS,
    NUMBERS,
    ORDERS,
    OUTCOMES,
    PARTS,
    POLARITY,
    QUANTIFIERS,
    RELATIONS,
    SOME_PARTS,
    STATES,
    TIMES,
    Row,
)


def state_against_motion(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the lever is stationary", and then "the lever rotates"."""
    return _opposed(claims, rng, STATES, wrong)


def had_and_lacked(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the lever has a rib", and then "the lever is free of any rib". Twin: free of another part."""
    return _opposed(claims, rng, PARTS, wrong)


def one_against_several(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a single rib", and then "two ribs"."""
    return _opposed(claims, rng, NUMBERS, wrong)


def material_against_material(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "made of steel", and then "made of wood". Twin: "made of metal"."""
    return _opposed(claims, rng, MATERIALS, wrong)


def relation_against_relation(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "inside the drum", and then "outside the drum". Twin: "the drum holds it"."""
    return _opposed(claims, rng, RELATIONS, wrong)


def always_against_sometimes(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "always lit", and then "lit at intervals". Twin: "lit at night"."""
    return _opposed(claims, rng, TIMES, wrong)


def said_and_denied(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "transmits light", and then "does not transmit light"."""
    return _opposed(claims, rng, POLARITY, wrong)


def one_condition_two_outcomes(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "when it is pressed, the lid opens", and then "when it is pressed, the lid stays closed"."""
    return _opposed(claims, rng, OUTCOMES, wrong)


def quantifiers_opposed(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "each of the levers has a hole", and then "none of the levers has a hole"."""
    found = site(claims, rng)
    if found is None:
        return None
    noun, *_ = fresh(claims, rng)
    first, second = _drawn(rng, QUANTIFIERS, wrong)
    thing = adding(claims, found.claim.number, f"a plurality of {several(noun)}")
    clauses = (f"{thing}, wherein {first}", f"wherein {second}")
    return stated(claims, rng, found.claim.number, *(each.format(xs=several(noun)) for each in clauses))


def order_reversed(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the rinsing is performed before the drying", and then "after". In methods."""
    found = site(claims, rng)
    if found is None or not is_method(claims, found.claim.number):
        return None
    one, other = rng.sample(("rinsing", "sanding", "galvanizing", "embossing", "sieving", "varnishing"), 2)
    first, second = (each.format(g=f"the {one}", h=f"the {other}") for each in _drawn(rng, ORDERS, wrong))
    steps = f"further comprising {one} the {found.name} and {other} the {found.name}"
    return stated(claims, rng, found.claim.number, f"{steps}, wherein {first}", f"wherein {second}")


def member_outside_its_group(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "selected from steel, copper and brass", and then "is glass" (MPEP 2117). Twin: "is copper"."""
    found, kind = site(claims, rng), rng.choice(list(MEMBERS))
    if found is None:
        return None
    noun = (fresh(claims, rng, among=(kind,)) or fresh(claims, rng))[0]
    one, two, three, left, _ = rng.sample(MEMBERS[kind], 5)
    first = rng.choice(
        (
            f"selected from the group consisting of {one}, {two}, and {three}",
            f"one of {one}, {two}, and {three}",
            f"selected from {one}, {two} and {three}",
            f"chosen from among {one}, {two} or {three}",
            f"either {one} or {two}",
        )
    )
    picked = left if wrong else rng.choice((one, two))
    name = found.name if wrong and rng.random() < 0.5 else noun
    given = "" if name != noun else f"{adding(claims, found.claim.number, a(noun))}, "
    second = rng.choice((f"wherein the {name} is {picked}", f"wherein {picked} is used as the {name}"))
    number = found.claim.number
    above = at_end(claims, number, f"{given}wherein the {name} is {first}")
    return in_new_claim(above.claims, rng, number, second)


def closed_then_more(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "consists of a lid and a pin", and then "also includes a cord" (MPEP 2111.03 II). Twin: the lid."""
    found = site(claims, rng)
    nouns = fresh(claims, rng, 4)
    if found is None:
        return None
    whole, one, two, more = nouns
    closed = rng.choice(("consists of", "is composed solely of", "consists exclusively of"))
    first = (
        f"{adding(claims, found.claim.number, a(whole))}, wherein the {whole} {closed} {a(one)} and {a(two)}"
    )
    opened = rng.choice(("further comprises", "also includes", "additionally has", "further contains"))
    second = f"wherein the {whole if wrong else one} {opened} {a(more)}"
    return stated(claims, rng, found.claim.number, first, second)


def _drawn(rng: Random, rows: Sequence[Row], wrong: bool) -> tuple[str, str]:
    """A statement and one that it excludes, in either order, or one that it allows."""
    statement, excluded, allowed = rng.choice(rows)
    pair = (statement, rng.choice(excluded if wrong else allowed))
    return pair[::-1] if wrong and rng.random() < 0.4 else pair


def _opposed(claims: ClaimSet, rng: Random, rows: Sequence[Row], wrong: bool) -> Defect | None:
    """Two statements about elements that the claim has, or about new ones; in a twin about new ones only,
    because nothing else is said of those.
    """
    found = site(claims, rng)
    if found is None:
        return None
    first, second = _drawn(rng, rows, wrong)
    new = fresh(claims, rng, 2)
    known = wrong and rng.random() < 0.6 and found.name != found.other
    x, y = (found.name, found.other) if known else new
    pair = a(x) + (f" and {a(y)}" if "{y}" in first + second else "")
    given = "" if known else f"{adding(claims, found.claim.number, pair)}, "
    part, other = rng.sample(SOME_PARTS, 2)
    parts = {"x": x, "y": y, "p": part, "q": other, "ps": _many(part), "qs": _many(other)}
    clauses = (f"{given}wherein {first}", f"wherein {second}")
    return stated(claims, rng, found.claim.number, *(each.format(**parts) for each in clauses))


def _many(part: str) -> str:
    return "teeth" if part == "tooth" else f"{part}s"


EDITS = (
    state_against_motion,
    had_and_lacked,
    one_against_several,
    material_against_material,
    relation_against_relation,
    always_against_sometimes,
    said_and_denied,
    one_condition_two_outcomes,
    quantifiers_opposed,
    order_reversed,
    member_outside_its_group,
    closed_then_more,
)
