"""Definite phrases of every form without a basis (MPEP 2173.05(e)): "the other", "such", "each of the", "the
first" of things never counted, one for many, an inner "of the …", a thing named before it is introduced.
"""

from __future__ import annotations

from random import Random

from ace.claims.model import ClaimSet
from ace_lab.held_out.edits import Defect, replaced
from ace_lab.held_out.elements import a
from ace_lab.held_out.mistakes.family import (
    about,
    adding,
    among,
    at_end,
    elements_of,
    fresh,
    in_new_claim,
    introduced,
    is_method,
    several,
    site,
    somewhere,
)

_MANY = ("a plurality of {}", "multiple {}", "a set of {}", "several {}", "a number of {}")
_GERUNDS = (
    "welding",
    "rinsing",
    "sanding",
    "knitting",
    "galvanizing",
    "fermenting",
    "sieving",
    "embossing",
    "tanning",
)
_HAPPENS = ("rotates", "is released", "reaches an end position", "has moved", "is switched off", "stops")


def other_of_one(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a lever …, and the other lever": there is one lever only. Twin: there are two."""
    noun, *_ = fresh(claims, rng)
    if wrong and rng.random() < 0.4:
        heads = [each.head for each in elements_of(claims).introduced]
        single = [each for each in elements_of(claims).taken_up if heads.count(each.head) == 1]
        one = among(claims, rng, [each for each in single if len(each.words) == 1])
        if one is not None:
            return replaced(claims, claims[one.claim], one.start, one.end, f"{one.article} other {one.name}")
    phrase = f"the other {noun}"
    if wrong:
        return introduced(claims, rng, a(noun), about(rng, phrase, "{other}"), phrase)
    thing = rng.choice(("two {}", "a pair of {}")).format(several(noun))
    clause = f"wherein one {noun} is above the {{other}} and {phrase} is below the {{other}}"
    return introduced(claims, rng, thing, clause, phrase)


def such_without_basis(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "wherein such lever", where there is none. Twin: "such" of a thing that the claim introduced."""
    one, another = fresh(claims, rng, 2)
    phrase = rng.choice(("such {}", "such a {}", "any such {}")).format(one if wrong else another)
    return introduced(claims, rng, a(another), about(rng, phrase, "{other}"), phrase)


def respective_without_basis(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "the respective lever", "the corresponding lever" of nothing. Twin: "a respective lever"."""
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None:
        return None
    word = rng.choice(("respective", "corresponding", "associated", "relevant"))
    phrase = f"the {word} {noun}" if wrong else a(f"{word} {noun}")
    clause = about(rng, phrase, found.other)
    return somewhere(claims, rng, found.claim.number, clause, phrase)


def share_of_nothing(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "each of the levers", where nothing introduced levers. Twin: after "a plurality of levers"."""
    noun, another = fresh(claims, rng, 2)
    many = several(noun)
    phrase = rng.choice(
        ("each of the {}", "at least one of the {}", "all of the {}", "both of the {}", "one of said {}")
    ).format(many)
    thing = "two {}" if "both" in phrase else rng.choice(_MANY)
    thing = a(another) if wrong else thing.format(many)
    many_said = phrase.startswith(("all", "both"))
    return introduced(claims, rng, thing, about(rng, phrase, "{other}", many=many_said), phrase)


def first_of_uncounted(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a plurality of levers … the first lever", none of which was counted. Twin: they were."""
    noun, *_ = fresh(claims, rng)
    many, ordinal = several(noun), rng.choice(("first", "second", "third"))
    thing = rng.choice((*_MANY, "neighboring {}", "adjacent {}")).format(many)
    if not wrong:
        counted = f"a first {noun}, a second {noun} and a third {noun}"
        thing = rng.choice((counted, f"{thing} that includes {counted}"))
    phrase = f"the {ordinal} {noun}"
    return introduced(claims, rng, thing, about(rng, phrase, "{other}"), phrase)


def one_of_two_alike(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "an upper lever and a lower lever …, wherein the lever": which? Twin: "the upper lever"."""
    noun, *_ = fresh(claims, rng)
    one, other = rng.choice(
        (("upper", "lower"), ("left", "right"), ("front", "rear"), ("main", "auxiliary"), ("input", "output"))
    )
    thing = f"{a(f'{one} {noun}')} and {a(f'{other} {noun}')}"
    if rng.random() < 0.4:
        thing = f"{a(noun)} made of steel and {a(noun)} made of wood"
        phrase = f"the {noun}" if wrong else f"the {noun} made of wood"
    else:
        phrase = f"the {noun}" if wrong else f"the {rng.choice((one, other))} {noun}"
    return introduced(claims, rng, thing, about(rng, phrase, "{other}"), phrase)


def many_taken_up_as_one(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a plurality of levers …, wherein the lever". Twin: "the levers", "each lever"."""
    noun, *_ = fresh(claims, rng)
    many = several(noun)
    thing = rng.choice((*_MANY, "{}", "three {}", "at least two {}")).format(many)
    if wrong:
        phrase = rng.choice(("the {}", "said {}")).format(noun)
        return introduced(claims, rng, thing, about(rng, phrase, "{other}"), phrase)
    phrase, plural = rng.choice(
        ((f"the {many}", True), (f"each {noun}", False), (f"each of the {many}", False))
    )
    return introduced(claims, rng, thing, about(rng, phrase, "{other}", many=plural), phrase)


def one_taken_up_as_many(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "a lever …, wherein the levers each". Twin: after "at least one lever", "one or more levers"."""
    noun, *_ = fresh(claims, rng)
    many = several(noun)
    thing = (
        a(noun) if wrong else rng.choice((f"at least two {many}", f"one or more {many}", f"a pair of {many}"))
    )
    phrase = rng.choice(("the {}", "said {}")).format(many)
    clause = rng.choice(
        (
            f"wherein {phrase} are each attached to the {{other}}",
            f"wherein each of {phrase} faces the {{other}}",
            f"wherein {phrase} are arranged on the {{other}}",
        )
    )
    return introduced(claims, rng, thing, clause, phrase)


def inside_another_phrase(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "an end of the lever" without a lever. Twin: of an element that there is."""
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None or found.name == found.other:
        return None
    phrase = f"the {noun if wrong else found.name}"
    clause = rng.choice(
        (
            "wherein the {other} is mounted at an end of {}",
            "wherein the {other} is arranged on top of {}",
            "wherein the {other} is held by means of {}",
            "wherein the {other} is located between a wall and {}",
            "wherein the {other} has the same length as {}",
        )
    ).replace("{other}", found.other)
    return somewhere(claims, rng, found.claim.number, clause.format(phrase), phrase)


def before_a_verb(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "when the lever rotates" without a lever. Twin: of an element that there is."""
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None or found.name == found.other:
        return None
    phrase = f"{rng.choice(('the', 'said'))} {noun if wrong else found.name}"
    moment = rng.choice(("when", "after", "as soon as", "until", "while"))
    clause = f"wherein the {found.other} is inspected {moment} {phrase} {rng.choice(_HAPPENS)}"
    return somewhere(claims, rng, found.claim.number, clause, phrase)


def before_its_introduction(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "wherein the lever holds the lid, and a lever". Twin: the other way round."""
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None:
        return None
    phrase = f"the {noun}"
    clause = about(rng, phrase, found.other)
    addition = adding(claims, found.claim.number, a(noun))
    order = (clause, addition) if wrong else (addition, clause)
    return somewhere(claims, rng, found.claim.number, ", ".join(order), phrase)


def only_in_a_sibling(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """A new claim adds a lever, and the next, which depends on the same parent, takes it up. Twin: it depends
    on the claim that adds it.
    """
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None:
        return None
    number = found.claim.number
    thing = rng.choice((a(noun), f"at least one {noun}", a(f"spare {noun}")))
    first = in_new_claim(claims, rng, number, adding(claims, number, thing))
    if first is None:
        return None
    phrase = f"the {noun}"
    parent = number if wrong else first.places[0].claim
    return in_new_claim(first.claims, rng, parent, about(rng, phrase, found.other), phrase)


def step_never_named(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "wherein the welding step" where nothing is welded. Twin: after "further comprising welding"."""
    found, gerunds = site(claims, rng), fresh(claims, rng, among=_GERUNDS)
    if found is None or not is_method(claims, found.claim.number) or not gerunds:
        return None
    phrase = rng.choice(("the {} step", "the step of {}", "said {}")).format(gerunds[0])
    clause = (
        f"wherein {phrase} {rng.choice(('takes 5 minutes', 'is carried out twice', 'is done under water'))}"
    )
    if not wrong:
        clause = f"further comprising {gerunds[0]} the {found.name}, {clause}"
    return somewhere(claims, rng, found.claim.number, clause, phrase)


def introduced_again_below(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """A dependent claim adds "a lever" to the lever that it inherits (MPEP 2173.05(o)). Twin: another."""
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None:
        return None
    number = found.claim.number
    phrase = a(noun) if wrong else rng.choice(("a second {}", "another {}", "an additional {}")).format(noun)
    given = at_end(claims, number, adding(claims, number, a(noun)))
    return in_new_claim(given.claims, rng, number, adding(claims, number, phrase), phrase)


def made_by_a_verb(claims: ClaimSet, rng: Random, *, wrong: bool) -> Defect | None:
    """ "receives a lever …, and the ejected lever". Twin: "the received lever"."""
    found, (noun, *_) = site(claims, rng), fresh(claims, rng)
    if found is None:
        return None
    (verb, done), (_, other) = rng.sample(
        (
            ("receives", "received"),
            ("cuts off", "cut-off"),
            ("heats", "heated"),
            ("selects", "selected"),
            ("folds", "folded"),
            ("filters", "filtered"),
        ),
        2,
    )
    phrase = f"the {other if wrong else done} {noun}"
    clause = f"wherein the {found.name} {verb} {a(noun)}, and {phrase} is moved to a store"
    return somewhere(claims, rng, found.claim.number, clause, phrase)


EDITS = (
    other_of_one,
    such_without_basis,
    respective_without_basis,
    share_of_nothing,
    first_of_uncounted,
    one_of_two_alike,
    many_taken_up_as_one,
    one_taken_up_as_many,
    inside_another_phrase,
    before_a_verb,
    before_its_introduction,
    only_in_a_sibling,
    step_never_named,
    introduced_again_below,
    made_by_a_verb,
)
