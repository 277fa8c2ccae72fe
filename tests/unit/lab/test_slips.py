"""The further injectors of the fit: each finds a place, marks it, and makes the defect it is named for."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.references import parents_of
from ace.lab import slips
from ace.lab.edits import Injection, Injector
from ace.lab.slips import SLIPS
from tests.unit.lab.samples import LEXICON

TEXTS = {
    1: "A kite comprising a frame; a first cord fixed to the frame; a second cord fixed to the frame; and a "
    "handle, wherein the first cord is fixed to the handle and the second cord is longer than the handle.",
    2: "The kite of claim 1, further comprising a ribbon and a swivel, wherein the ribbon is in the frame.",
    3: "The kite of claim 2, wherein the ribbon is selected from the group consisting of silk and cotton.",
    4: "The kite of claim 3, wherein the swivel is made of brass.",
    5: "A method of making a kite, comprising: casting a frame in a mold; drilling the frame; sanding the "
    "frame; and painting the kite.",
    6: "The method of claim 5, wherein the frame is sanded.",
    7: "The kite of claim 1, wherein the frame is light.",
    8: "The kite of claim 7, wherein the handle is round.",
    9: "The kite of claim 1, further comprising a plurality of bells, wherein the bells are made of brass.",
}
SET = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in TEXTS.items()))
ALL = [(label, injector) for label, some in SLIPS.items() for injector in some]


def made(injector: Injector, seeds: int = 10) -> Iterator[Injection]:
    for seed in range(seeds):
        for claim in SET:
            found = injector(SET, claim, Random(seed), LEXICON)
            if found is not None:
                yield found


def quoted(injector: Injector) -> set[str]:
    return {found.claims[found.number].text[found.start : found.end] for found in made(injector)}


@pytest.mark.parametrize(("label", "injector"), ALL, ids=lambda value: getattr(value, "__name__", value))
def test_a_slip_finds_a_place_changes_the_set_and_marks_a_span(label: str, injector: Injector) -> None:
    tried = list(made(injector))
    assert tried, "the sample set offers this injector no place"
    for found in tried:
        assert (found.label, found.subtype) == (label, injector.__name__)
        assert 0 <= found.start < found.end <= len(found.claims[found.number].text)
        assert 1 <= sum(SET.get(claim.number) != claim for claim in found.claims) <= 2


@pytest.mark.parametrize("injector", [injector for _, injector in ALL], ids=lambda value: value.__name__)
def test_a_claim_that_offers_no_place_is_left_alone(injector: Injector) -> None:
    bare = Claim(1, "lemon", ())
    assert injector(ClaimSet((bare,)), bare, Random(1), LEXICON) is None


@pytest.mark.parametrize(
    ("injector", "pattern"),
    [
        (slips.number_shifted, r"the (first |second )?(cords|frames|handles|kites|ribbons|swivels)"),
        (slips.one_of_several, r"the bell"),
        (slips.further_comprised, r"a (first cord|second cord)"),
        (slips.introduced_again, r"an? (frame|handle|ribbon|swivel|first cord|second cord|kite)"),
        (slips.ordinal_dropped, r"the cord"),
        (slips.choice_of_parents, r"the (ribbon|swivel)"),
        (slips.parent_canceled, r"claim \d"),
        (slips.both_parents, r"claims (1 and 2|2 and 3|1 and 7)"),
        (slips.multiple_on_multiple, r"claim 1 or [37]"),
        (slips.category_changed, r"The (method|assembly|machine|composition) of claim \d.*"),
        (slips.emptied, r"The (kite|method) of claim \d\."),
        (slips.range_missed, r"wherein the depth is from \d+ to \d+ cm"),
        (slips.steps_exchanged, r"drilling the frame; casting a frame in a mold"),
        (slips.and_or, r"and/or"),
        (slips.group_opened, r"selected from the group (comprising|including|containing)"),
        (slips.small_letter, r"a|the"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_slip_makes_the_defect_it_is_named_for(injector: Injector, pattern: str) -> None:
    assert quoted(injector)
    assert not [quote for quote in quoted(injector) if not re.fullmatch(pattern, quote)]


def test_a_canceled_parent_is_gone() -> None:
    for found in made(slips.parent_canceled):
        parent = found.claims[found.claims[found.number].parents[0]]
        assert parent.status is Status.CANCELED
        assert parent.text == ""


def test_a_range_that_misses_lies_above_the_one_that_it_repeats() -> None:
    for found in made(slips.range_missed):
        (low, high), (first, last) = (
            re.findall(r"from (\d+) to (\d+) cm", found.claims[number].text)[0]
            for number in (found.claims[found.number].parents[0], found.number)
        )
        assert int(low) < int(high) < int(first) < int(last)
