"""The injectors of names that nearly fit: each finds a place, marks it, and changes nothing else."""

import re
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of
from ace_lab.injectors import INJECTORS
from ace_lab.injectors.edits import Injector, Lexicon
from ace_lab.injectors.names_alike import NAMES_ALIKE
from ace_lab.injectors.near_names import (
    NEAR_NAMES,
    article_swapped_anywhere,
    counted_one,
    first_of_many,
    head_exchanged,
    head_introduced_otherwise,
    introduced_again_here,
    introduced_otherwise,
    member_struck,
    name_shortened,
    other_of_one,
    pasted_from_elsewhere,
    pointed_at,
    qualifier_borrowed,
    several_of_one,
)

TEXTS = (
    (
        "A loom comprising a warp beam, a steel reed, a plurality of hooks on the warp beam, and a shaft "
        "cover, wherein the shaft cover is hinged to the warp beam, the steel reed is flat, and the hooks "
        "are round."
    ),
    (
        "The loom of claim 1, further comprising a brake lever, wherein the brake lever stops the warp "
        "beam, and the brake lever is red."
    ),
)
SET = ClaimSet(tuple(Claim(at, text, parents_of(text, at)) for at, text in enumerate(TEXTS, start=1)))
LEXICON = Lexicon(("gimbal",))


@pytest.mark.parametrize(
    ("injector", "pattern"),
    [
        (pointed_at, r"(such|the (respective|corresponding|other|particular)) gimbal"),
        (other_of_one, r"the other (steel reed|shaft cover|brake lever|warp beam)"),
        (counted_one, r"the (first|second|third) (steel reed|shaft cover|brake lever|warp beam)"),
        (first_of_many, r"the (first|second) hook"),
        (
            several_of_one,
            r"((each|one) of the|the two|the plurality of) (steel reed|(shaft cov|brake lev)er|warp beam)s",
        ),
        (article_swapped_anywhere, r"(the|said) (warp beam|steel reed|shaft cover|brake lever)"),
        (qualifier_borrowed, r"the (warp|steel|shaft|brake) (reed|cover|lever|beam)"),
        (name_shortened, r"the (shaft|warp|brake|steel)"),
        (head_exchanged, r"the (shaft|warp|brake|steel) gimbal"),
        (introduced_again_here, r"a (warp beam|steel reed|shaft cover|brake lever)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_one_name_is_changed_into_one_that_nearly_fits(injector: Injector, pattern: str) -> None:
    tried = [injector(SET, claim, Random(seed), LEXICON) for seed in range(10) for claim in SET]
    found = [each for each in tried if each is not None]
    assert found, "the set offers this injector no place"
    for each in found:
        assert (each.label, each.subtype) == ("antecedent", injector.__name__)
        assert [c.number for c in each.claims if SET.get(c.number) != c] == [each.number]
        assert re.fullmatch(pattern, each.claims[each.number].text[each.start : each.end])


SPREAD = (
    "A loom comprising a frame, a brake lever and a warp beam, wherein the warp beam is round.",
    "The loom of claim 1, wherein the brake lever is on the frame.",
    "The loom of claim 1, further comprising a steel reed.",
)


@pytest.mark.parametrize(
    ("injector", "lost"),
    [
        (introduced_otherwise, r"the (brake lever|warp beam)"),
        (head_introduced_otherwise, r"the (brake lever|warp beam)"),
        (pasted_from_elsewhere, r"the (steel reed)"),
        (member_struck, r"the (brake lever)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_name_loses_its_introduction(injector: Injector, lost: str) -> None:
    claims = ClaimSet(tuple(Claim(at, text, parents_of(text, at)) for at, text in enumerate(SPREAD, start=1)))
    tried = [injector(claims, claim, Random(seed), LEXICON) for seed in range(10) for claim in claims]
    found = [each for each in tried if each is not None]
    assert found, "the set offers this injector no place"
    for each in found:
        marked = re.fullmatch(lost, each.claims[each.number].text[each.start : each.end])
        assert marked
        chain = (each.number, *each.claims.ancestors(each.number))
        assert not any(f"a {marked[1]}" in each.claims[number].text for number in chain)


@pytest.mark.parametrize("injector", NEAR_NAMES, ids=lambda value: value.__name__)
def test_a_claim_that_offers_no_place_is_left_alone(injector: Injector) -> None:
    bare = Claim(1, "lemon", ())
    assert injector(ClaimSet((bare,)), bare, Random(1), LEXICON) is None


def test_none_is_among_the_injectors_of_the_data_sets() -> None:
    assert not {injector for choices in INJECTORS.values() for injector, _ in choices} & set(NEAR_NAMES)


@pytest.mark.parametrize("injector", NAMES_ALIKE, ids=lambda value: value.__name__)
def test_a_name_that_fits_two_or_none_is_marked_alone(injector: Injector) -> None:
    texts = ("A loom comprising a warp beam and a cloth beam, wherein the warp beam is round.",)
    loom = ClaimSet(tuple(Claim(at, text, ()) for at, text in enumerate(texts, start=1)))
    found = injector(loom, loom[1], Random(1), LEXICON)
    assert found is not None
    assert found.claims[1].text[found.start : found.end] in {"the beam", "the gimbal"}
