"""Claims as they are kept, handed on and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.chains import chain_set, kept_claim, kept_set, kept_text
from ace.claims.model import CHAIN_CUT, GONE, Claim, ClaimInput, Status


@pytest.mark.parametrize("status", sorted(GONE))
def test_a_claim_without_text_is_kept_as_its_status(status: Status) -> None:
    canceled = Claim(2, "", (), status)
    assert kept_claim(2, kept_text(canceled)) == canceled
    assert kept_text(canceled).startswith("(")


@given(st.text(min_size=1).filter(lambda text: not text.startswith("(")))
def test_any_other_text_is_kept_as_it_is(text: str) -> None:
    assert kept_text(Claim(1, text)) == text
    assert kept_claim(1, text).text == text
    assert kept_claim(1, text).status is None


def test_a_kept_set_knows_its_dependencies() -> None:
    claims = kept_set([(1, "A lamp."), (2, "(Canceled)"), (3, "The lamp of claim 2.")])
    assert [(claim.number, claim.parents, claim.pending) for claim in claims] == [
        (1, (), True),
        (2, (), False),
        (3, (2,), True),
    ]


def test_a_chain_is_the_claim_and_what_is_there_of_its_ancestors() -> None:
    told = ClaimInput(3, "The lamp of claim 2.", ("2. The lamp of claim 1.", "1. A lamp.", CHAIN_CUT))
    claims = chain_set(told)
    assert [(claim.number, claim.text, claim.parents) for claim in claims] == [
        (3, "The lamp of claim 2.", (2,)),
        (2, "The lamp of claim 1.", (1,)),
        (1, "A lamp.", ()),
    ]


def test_a_claim_is_its_own_whatever_its_chain_says() -> None:
    assert chain_set(ClaimInput(1, "A lamp.", ("1. A bulb.",)))[1].text == "A lamp."


def test_an_ancestor_without_its_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="number"):
        chain_set(ClaimInput(2, "The lamp of claim 1.", ("A lamp.",)))
