"""References that 112(d), 112(e) and 37 CFR 1.75(c) forbid (MPEP 608.01(n)), mostly in new claims that need
nothing of their parents, so that the reference alone is wrong.
"""

from __future__ import annotations

import re
from random import Random

from ace.claims.model import Claim, ClaimSet, Status
from ace_lab.held_out.edits import (
    Defect,
    DefectPlace,
    only_reference,
    opening,
    replaced,
    shuffled,
    with_claim,
)
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import adding, at_end, fresh, in_new_claim, is_method, site, subject

_NO_NUMBER = ("claim", "claim __", "claim [ ]", "claim X", "claim #", "claim 0")
_REPLACED = (
    "wherein the {x} is replaced by {y}",
    "wherein {y} is used instead of the {x}",
    "wherein {y} is substituted for the {x}",
    "wherein the {x} is optional",
    "except that {y} takes the place of the {x}",
    "wherein the {x} is omitted and {y} is provided in its place",
)
_KEPT = (
    "further comprising {y}, in addition to the {x}",
    "wherein the {x} is fastened in such a way that it can be exchanged",
    "wherein the {x} is next to {y}",
)


def reference_without_number(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "The pump of claim, wherein". Twin: the number in another form of reference."""
    for claim in shuffled(claims, rng):
        begun = opening(claim)
        if begun is not None:
            piece = rng.choice(_NO_NUMBER) if wrong else begun["reference"].replace("claim", "Claim")
            return replaced(claims, claim, *begun.span("reference"), piece)
    return None


def itself_or_later(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """The new claim 9 depends on claim 9, on claims 1 to 9 or on the claim after it. Twin: on claim 1."""
    found = _open(claims, rng)
    if found is None:
        return None
    number, name, thing = found
    other = fresh(claims, rng, 2)[1]
    own = max(claim.number for claim in claims) + 1
    first = f"claim {number}"
    said = (
        rng.choice((f"claim {own}", f"any one of claims {number} to {own}", f"claim {own + 1}"))
        if wrong
        else rng.choice((first, f"{first} above"))
    )
    edited = _dependent(claims, name, said, adding(claims, number, a(thing)), said)
    return (
        edited
        if said != f"claim {own + 1}"
        else _followed(edited, name, number, adding(claims, number, a(other)))
    )


def multiple_on_new_multiple(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "any of claims 1 and 9" where claim 9 is multiple too (37 CFR 1.75(c)). Twin: of claim 9 alone."""
    found = _open(claims, rng, singly=True)
    if found is None:
        return None
    number, name, _ = found
    one, two, three = fresh(claims, rng, 3)
    base = _dependent(claims, name, f"claim {number}", adding(claims, number, a(one)), None)
    upper = base.places[0].claim
    several = rng.choice(("claim {} or {}", "any one of claims {} and {}", "either of claims {} or {}"))
    middle = _dependent(
        base.claims, name, several.format(number, upper), adding(claims, number, a(two)), None
    )
    added = middle.places[0].claim
    numbers = rng.choice(((number, added), (upper, added)))
    said = several.format(*numbers) if wrong else f"claim {added}"
    return _dependent(middle.claims, name, said, adding(claims, number, a(three)), said)


def several_at_once(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "of claims 1 and 9" (MPEP 608.01(n) I.B.1). Twin: "of claim 1 or 9"."""
    found = _open(claims, rng, singly=True)
    if found is None:
        return None
    number, name, thing = found
    first = _dependent(claims, name, f"claim {number}", adding(claims, number, a(thing)), None)
    other, another = first.places[0].claim, fresh(first.claims, rng)[0]
    together = ("claims {} and {}", "claim {} and claim {}", "both claim {} and claim {}", "claims {} & {}")
    apart = (
        "claim {} or {}",
        "claim {} or claim {}",
        "any one of claims {} and {}",
        "one of claims {} or {}",
    )
    said = rng.choice(together if wrong else apart).format(number, other)
    return _dependent(first.claims, name, said, adding(claims, number, a(another)), said)


def method_of_a_thing(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "The method of claim 1" where claim 1 is a device, or "the kit of claim 1" where it is a method. Twin:
    a claim to a method of using the device (MPEP 608.01(n) III).
    """
    found = _open(claims, rng)
    if found is None:
        return None
    number, name, thing = found
    if is_method(claims, number):
        said = rng.choice(("system", "apparatus", "kit", "composition", "device")) if wrong else name
        begun = f"The {said} of claim {number}"
        clause = f"further comprising {a(thing)}" if wrong else f"further comprising providing {a(thing)}"
    elif wrong:
        begun = f"The {rng.choice(('method', 'process', 'use', 'procedure'))} of claim {number}"
        clause = f"further comprising {rng.choice(('cleaning', 'inspecting', 'storing'))} {a(thing)}"
    else:
        begun = f"A method of using the {name} of claim {number}"
        clause = f"comprising {rng.choice(('cleaning', 'inspecting', 'storing'))} {a(thing)}"
    edited, added = with_claim(claims, f"{begun}, {clause}.")
    return Defect(edited, (DefectPlace(added, 0, len(begun)),))


def another_subject(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "The lantern of claim 1" where claim 1 is a pump. Twin: "The pump as set forth in claim 1"."""
    for claim in shuffled(claims, rng):
        begun = opening(claim)
        if (
            begun is None
            or is_method(claims, claim.number)
            or not re.match(r"The (?!.* comprising)", begun[0])
        ):
            continue
        noun, *_ = fresh(claims, rng)
        way = rng.choice(("as set forth in", "in accordance with", "as defined in"))
        said = f"The {noun if wrong else begun['subject']} {way}"
        defect = replaced(claims, claim, 0, begun.start("reference"), f"{said} ")
        end = len(said) + 1 + len(begun["reference"])
        return Defect(defect.claims, (DefectPlace(claim.number, 0, end),))
    return None


def element_replaced(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "wherein the lever is replaced by a knob": the claim does not include its parent (112(d); MPEP
    608.01(n) III). Twin: the knob comes in addition.
    """
    found = site(claims, rng)
    if found is None:
        return None
    noun, *_ = fresh(claims, rng)
    clause = rng.choice(_REPLACED if wrong else _KEPT).format(x=found.name, y=a(noun))
    return in_new_claim(claims, rng, found.claim.number, clause)


def parent_repeated(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """The new claim says again what its parent says and no more (112(d)). Twin: it says it more exactly."""
    found = site(claims, rng)
    if found is None or found.name == found.other:
        return None
    way, *more = rng.choice(
        (
            ("fastened to", "welded to", "screwed to"),
            ("adjacent to", "directly adjacent to", "less than 2 mm away from"),
            ("coupled to", "rigidly coupled to", "coupled by a cable to"),
            ("smaller than", "at least ten times smaller than"),
        )
    )
    clause = f"wherein the {found.name} is {{}} the {found.other}"
    given = at_end(claims, found.claim.number, clause.format(way))
    said = clause.format(way if wrong else rng.choice(more))
    return in_new_claim(given.claims, rng, found.claim.number, said)


def two_claims_on_each_other(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """New claim 9 depends on new claim 10, which depends on claim 9. Twin: claim 9 depends on claim 1."""
    found = _open(claims, rng)
    if found is None:
        return None
    number, name, thing = found
    own = max(claim.number for claim in claims) + 1
    said = f"claim {own + 1 if wrong else number}"
    first = _dependent(claims, name, said, adding(claims, number, a(thing)), said)
    another, *_ = fresh(first.claims, rng)
    back = f"claim {own}"
    second = _dependent(first.claims, name, back, adding(claims, number, a(another)), back)
    return Defect(second.claims, (*first.places, *second.places))


def parent_canceled(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """An amendment cancels a claim to which another still refers. Twin: the claim is withdrawn only."""
    for claim in shuffled(claims, rng):
        reference = only_reference(claim)
        parent = claims.get(claim.parents[0]) if reference else None
        if reference is None or parent is None or parent.number == claim.number or not parent.pending:
            continue
        changed = (
            Claim(parent.number, "", (), Status.CANCELED)
            if wrong
            else Claim(parent.number, parent.text, parent.parents, Status.WITHDRAWN)
        )
        edited = ClaimSet(tuple(changed if each.number == parent.number else each for each in claims))
        children = [(each, only_reference(each)) for each in edited if parent.number in each.parents]
        return Defect(edited, tuple(DefectPlace(each.number, *at.span()) for each, at in children if at))
    return None


def past_the_last(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """The new claim refers beyond the end of the set, alone or in a range. Twin: within the set."""
    found = _open(claims, rng, singly=True)
    if found is None:
        return None
    number, name, thing = found
    gone = max(claim.number for claim in claims) + rng.randint(2, 30)
    said = f"claim {number}"
    if wrong:
        forms = (
            "claim {0}",
            "claims {0}",
            "claim {1} or {0}",
            "any one of claims {1} to {0}",
            "any of claims {1}-{0}",
        )
        said = rng.choice(forms).format(gone, number)
    return _dependent(claims, name, said, adding(claims, number, a(thing)), said)


def _open(claims: ClaimSet, rng: Random, *, singly: bool = False) -> tuple[int, str, str] | None:
    """A claim that may be added to, what its dependent claims are called, and a new thing for one of them.

    `singly`: neither the claim nor those above it refer to several claims.
    """
    found = site(claims, rng)
    if found is None:
        return None
    number = found.claim.number
    line = [claims[each] for each in (number, *claims.ancestors(number))]
    name = subject(claims, number)
    if name is None or (singly and any(len(each.parents) > 1 for each in line)):
        return None
    return number, name, fresh(claims, rng)[0]


def _dependent(claims: ClaimSet, name: str, said: str, clause: str, shown: str | None) -> Defect:
    """A new claim; the place is that of its reference, or all of it."""
    edited, number = with_claim(claims, f"The {name} of {said}, {clause}.")
    text = edited[number].text
    start = text.index(f" of {said}, ") + 4 if shown else 0
    return Defect(edited, (DefectPlace(number, start, start + len(shown or text)),))


def _followed(made: Defect, name: str, parent: int, clause: str) -> Defect:
    """The set with one more claim, which is sound."""
    edited, _ = with_claim(made.claims, f"The {name} of claim {parent}, {clause}.")
    return Defect(edited, made.places)


EDITS = (
    reference_without_number,
    itself_or_later,
    multiple_on_new_multiple,
    several_at_once,
    method_of_a_thing,
    another_subject,
    element_replaced,
    parent_repeated,
    two_claims_on_each_other,
    parent_canceled,
    past_the_last,
)
