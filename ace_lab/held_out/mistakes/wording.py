"""Words that leave the scope open (MPEP 2173.05): acts of a user in a claim to a thing, steps that have no
label, examples, terms without a measure, types, wishes, trademarks, open groups, values without a unit,
symbols that nothing explains, objects of any size, results, pointers to the description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from ace.claims.model import ClaimSet
from ace_lab.held_out.edits import Defect
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import adding, at_end, fresh, in_new_claim, is_method, site, somewhere
from ace_lab.held_out.mistakes.terms import (
    ABILITIES,
    ACTS,
    ANYONES,
    CLOSED,
    CONDITIONS,
    EXACTLY,
    EXAMPLES,
    GENERIC,
    LABELS,
    MARKS,
    MEANS,
    OPEN,
    POINTERS,
    RELATIVE,
    RESULTS,
    STEPS,
    TYPES,
    WISHES,
)

_LABELED = re.compile(r"\bsteps? \(?[a-e]\b|\(?\b[a-e]\)")


def act_of_a_user(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "wherein the user presses the lever", in a claim to a device (MPEP 2173.05(p) II). Twin: "can be
    pressed by a user".
    """
    return _of_a_thing(claims, rng, ACTS if wrong else ABILITIES)


def step_in_a_thing(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "further comprising the step of heating the lever", in a claim to a device. Twin: "a heater"."""
    return _of_a_thing(claims, rng, STEPS if wrong else MEANS)


def label_without_step(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "wherein step d) is repeated", where no step has this label. Twin: where one has."""
    found = site(claims, rng)
    if found is None or not is_method(claims, found.claim.number):
        return None
    said = " ".join(claim.text for claim in claims)
    if _LABELED.search(said):
        return None
    number, (thing, *_) = found.claim.number, fresh(claims, rng)
    steps = f"further comprising a) rinsing {a(thing)}, b) drying the {thing}, and c) sanding the {thing}"
    given = rng.random() < 0.5
    letter = rng.choice("de" if wrong else "bc")
    label = rng.choice(LABELS).format(letter)
    verb = "are" if label.startswith("steps") else "is"
    clause = f"wherein {label} {verb} {rng.choice(('repeated', 'omitted once'))}"
    if wrong and not given:
        return somewhere(claims, rng, number, clause, label)
    return in_new_claim(at_end(claims, number, steps).claims, rng, number, clause, label)


def example_given(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a fastener, for instance a hook" (MPEP 2173.05(d)). Twin: "a fastener, namely a hook"."""
    one, *_ = fresh(claims, rng)
    thing = rng.choice(("a fastener", "a tool", "a container", "a sensor", "a coating", "a substance"))
    words = rng.choice(EXAMPLES if wrong else EXACTLY).format(a(one))
    return _added(claims, rng, f"{thing}, {words}", words)


def without_a_measure(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "is thin" (MPEP 2173.05(b)). Twin: "is thinner than the lid"."""
    found = site(claims, rng)
    if found is None or found.name == found.other:
        return None
    row = rng.choice(RELATIVE)
    said = row[0 if wrong else 1].format(y=found.other)
    return somewhere(claims, rng, found.claim.number, f"wherein the {found.name} {said}", said)


def of_a_type(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a fastener of the hook type" (MPEP 2173.05(b) III.E). Twin: "a fastener with a hook"."""
    noun, *_ = fresh(claims, rng)
    words = rng.choice(TYPES).format(noun) if wrong else f"with {a(noun)}"
    return _added(
        claims, rng, f"{rng.choice(('a fastener', 'a tool', 'a joint', 'a mechanism'))} {words}", words
    )


def at_discretion(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "is heated if desired" (MPEP 2173.05(d)). Twin: "is heated if a signal is received"."""
    found = site(claims, rng)
    if found is None:
        return None
    words = rng.choice(WISHES if wrong else CONDITIONS).format(x=found.name)
    done = rng.choice(("moved", "heated", "shifted", "cleaned", "replaced", "inspected"))
    return somewhere(claims, rng, found.claim.number, f"wherein the {found.name} is {done} {words}", words)


def trademark_for_a_material(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "is made of Bakelite" (MPEP 2173.05(u)). Twin: of a substance that has a name."""
    found = site(claims, rng)
    if found is None:
        return None
    what = rng.choice(MARKS if wrong else GENERIC)
    way = rng.choice(("is made of {}", "is covered with {}", "contains {}", "comprises a layer of {}"))
    return somewhere(claims, rng, found.claim.number, f"wherein the {found.name} {way.format(what)}", what)


def group_left_open(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "selected from the group including" (MPEP 2117 I). Twin: "consisting of"."""
    found = site(claims, rng)
    if found is None:
        return None
    names = rng.sample(("wool", "felt", "cork", "slate", "granite", "bamboo", "wax", "plaster"), 3)
    words = rng.choice(OPEN if wrong else CLOSED).format(*names)
    x, *_ = fresh(claims, rng)
    number = found.claim.number
    clause = f"{adding(claims, number, a(x))} made of a material {words}"
    return somewhere(claims, rng, number, clause.replace("material one of", "material that is one of"), words)


def narrow_within_broad(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "10 to 50 mm, in particular 20 to 30 mm" (MPEP 2173.05(c) I). Twin: the narrow one in a new claim."""
    found = site(claims, rng)
    if found is None:
        return None
    number, (x, *_), low = found.claim.number, fresh(claims, rng), rng.randint(2, 20)
    unit = rng.choice(("mm", "wt%", "°C", "g"))
    what = {"wt%": "moisture content", "°C": "temperature", "g": "weight"}.get(unit, "length")
    broad = f"{low} to {low + 30} {unit}"
    narrow = f"{low + 5} to {low + 15} {unit}"
    thing = f"{adding(claims, number, a(x))} having a {what} of {broad}"
    if wrong:
        word = rng.choice(
            (
                "in particular",
                "especially",
                "particularly",
                "more particularly",
                "advantageously",
                "typically",
            )
        )
        return somewhere(claims, rng, number, f"{thing}, {word} {narrow}", f"{word} {narrow}")
    return in_new_claim(at_end(claims, number, thing).claims, rng, number, f"wherein the {what} is {narrow}")


def unit_missing(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a length of 5 to 10". Twin: "of 5 to 10 mm"."""
    found = site(claims, rng)
    if found is None:
        return None
    what, unit = rng.choice((("length", "mm"), ("temperature", "°C"), ("weight", "kg"), ("pressure", "kPa")))
    low = rng.randint(2, 40)
    value = rng.choice(("{0} to {1}", "at least {0}", "between {0} and {1}", "less than {1}")).format(
        low, low * 2
    )
    value += "" if wrong else f" {unit}"
    x, *_ = fresh(claims, rng)
    number = found.claim.number
    clause = f"wherein the {x} has a {what} of {value}"
    return somewhere(claims, rng, number, f"{adding(claims, number, a(x))}, {clause}", clause)


def symbol_unexplained(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a length L = k·D, where D is a diameter": what is k? Twin: "and k is a number from 2 to 5"."""
    found = site(claims, rng)
    if found is None:
        return None
    x, y = fresh(claims, rng, 2)
    left, factor, right = rng.choice((("L", "k", "D"), ("H", "n", "W"), ("A", "m", "B")))
    formula = rng.choice(("{0} = {1}·{2}", "{0} = {1} × {2}", "{0} < {1}{2}", "{0} = {2} + {1}"))
    formula = formula.format(left, factor, right)
    explained = "" if wrong else f", and {factor} is a number from 2 to 5"
    number = found.claim.number
    things = adding(claims, number, f"{a(x)} of a length {left} and {a(y)} of a diameter {right}")
    return somewhere(claims, rng, number, f"{things}, wherein {formula}{explained}", formula)


def size_of_anything(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "is as long as a user's arm" (MPEP 2173.05(b) II). Twin: "is as long as the lid"."""
    found = site(claims, rng)
    if found is None or found.name == found.other:
        return None
    same = rng.choice(("is as long as the {}", "fits into the {}", "is no heavier than the {}")).format(
        found.other
    )
    said = rng.choice(ANYONES) if wrong else same
    return somewhere(claims, rng, found.claim.number, f"wherein the {found.name} {said}", said)


def result_alone(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "is arranged such that performance is improved" (MPEP 2173.05(g)). Twin: "so that it covers it"."""
    found = site(claims, rng)
    if found is None or found.name == found.other:
        return None
    plain = rng.choice(("such that it touches the {}", "so that it covers the {}", "in line with the {}"))
    words = rng.choice(RESULTS) if wrong else plain.format(found.other)
    done = rng.choice(("arranged", "designed", "shaped", "mounted"))
    return somewhere(claims, rng, found.claim.number, f"wherein the {found.name} is {done} {words}", words)


def pointer_to_the_description(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "arranged as shown in FIG. 2" (MPEP 2173.05(s)). Twin: "as a ring"."""
    found = site(claims, rng)
    if found is None:
        return None
    words = (
        rng.choice(POINTERS).format(rng.randint(1, 9))
        if wrong
        else f"as a {rng.choice(('ring', 'tube', 'frame'))}"
    )
    clause = f"wherein the {found.name} is {rng.choice(('arranged', 'shaped', 'provided'))} {words}"
    return somewhere(claims, rng, found.claim.number, clause, words)


def _of_a_thing(claims: ClaimSet, rng: Random, clauses: Sequence[str]) -> Defect | None:
    """One of these clauses about an element, in a claim that is not to a method."""
    found = site(claims, rng)
    if found is None or is_method(claims, found.claim.number):
        return None
    return somewhere(claims, rng, found.claim.number, rng.choice(clauses).format(x=found.name))


def _added(claims: ClaimSet, rng: Random, thing: str, piece: str) -> Defect | None:
    found = site(claims, rng)
    if found is None:
        return None
    number = found.claim.number
    return somewhere(claims, rng, number, adding(claims, number, thing), piece)


EDITS = (
    act_of_a_user,
    step_in_a_thing,
    label_without_step,
    example_given,
    without_a_measure,
    of_a_type,
    at_discretion,
    trademark_for_a_material,
    group_left_open,
    narrow_within_broad,
    unit_missing,
    symbol_unexplained,
    size_of_anything,
    result_alone,
    pointer_to_the_description,
)
