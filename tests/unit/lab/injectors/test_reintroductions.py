"""The injectors of the fit alone: each finds a place, marks it, and introduces what is there again."""

import re
from random import Random

import pytest

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors import INJECTORS
from ace_lab.injectors.edits import Injector
from ace_lab.injectors.reintroductions import REINTRODUCTIONS, further_comprised, introduced_again
from tests.unit.lab.samples import LEXICON, SET

ALL = [(label, injector) for label, some in REINTRODUCTIONS.items() for injector in some]


@pytest.mark.parametrize(
    ("injector", "pattern"),
    [
        (introduced_again, r"an? (spout|tank|filter|window|ring|handle|sensor|vessel|angle)"),
        (further_comprised, r"an? (rigid spout|outer ring|transparent window)"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_slip_introduces_what_is_there_already(injector: Injector, pattern: str) -> None:
    tried = [injector(SET, claim, Random(seed), LEXICON) for seed in range(10) for claim in SET]
    found = [each for each in tried if each is not None]
    assert found, "the sample set offers this injector no place"
    for each in found:
        assert (each.label, each.subtype) == ("antecedent", injector.__name__)
        assert [c.number for c in each.claims if SET.get(c.number) != c] == [each.number]
        assert re.fullmatch(pattern, each.claims[each.number].text[each.start : each.end])


@pytest.mark.parametrize("injector", [injector for _, injector in ALL], ids=lambda value: value.__name__)
def test_a_claim_that_offers_no_place_is_left_alone(injector: Injector) -> None:
    bare = Claim(1, "lemon", ())
    assert injector(ClaimSet((bare,)), bare, Random(1), LEXICON) is None


def test_no_slip_is_among_the_injectors_of_the_data_sets() -> None:
    built_with = {injector for choices in INJECTORS.values() for injector, _ in choices}
    assert set(REINTRODUCTIONS) == set(INJECTORS)
    assert not built_with & {injector for _, injector in ALL}
