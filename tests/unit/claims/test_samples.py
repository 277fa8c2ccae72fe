"""The shipped samples: readable, as many as promised, and defective exactly where we say."""

import pytest

from ace.claims.analysis import check_set
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass
from ace.local.samples import Sample, load

BEYOND_RULES = {("infusion-pump", 8)}
"""A thing that runs only in one state, and in the other: rules leave states to those who understand them."""


def test_there_are_enough_of_every_kind() -> None:
    samples = load()
    claims = [claim for sample in samples for claim in read_text(sample.text)]
    known = [each for sample in samples for each in sample.known.values()]
    assert 6 <= len(samples) <= 10
    assert len({sample.technology for sample in samples}) == len(samples)
    assert len({sample.docket for sample in samples}) == len(samples)
    assert len(claims) >= 64
    assert set(known) == set(ErrorClass)
    assert 0.1 < len(known) / len(claims) < 0.3


@pytest.mark.parametrize("sample", load(), ids=lambda sample: sample.docket)
def test_the_rules_find_what_is_known_and_nothing_else(sample: Sample) -> None:
    claims = read_text(sample.text)
    assert [claim.number for claim in claims] == list(range(1, len(claims) + 1))
    found = {(each.claim, each.error_class) for each in check_set(claims)}
    assert found == {
        (number, error_class)
        for number, error_class in sample.known.items()
        if (sample.docket, number) not in BEYOND_RULES
    }
    assert set(sample.known) <= {claim.number for claim in claims}
