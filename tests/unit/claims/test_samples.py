"""The shipped samples: readable, as many as promised, and defective exactly where we say."""

import pytest

from ace.claims.checks import check_claim
from ace.claims.readers import read_text
from ace.claims.taxonomy import ErrorClass
from ace.samples import Sample, load

SHOWN_BY_RULES = {ErrorClass.ANTECEDENT, ErrorClass.DEPENDENCY, ErrorClass.SYNTAX}


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
    found = {claim.number: {each.error_class for each in check_claim(claims, claim)} for claim in claims}
    expected = {
        claim.number: {sample.known[claim.number]} & SHOWN_BY_RULES if claim.number in sample.known else set()
        for claim in claims
    }
    assert found == expected
    assert set(sample.known) <= set(found)
