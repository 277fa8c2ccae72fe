"""Claims as they are kept, handed on and read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.chains import ChainReading, chain_set, kept_claim, kept_set
from ace.claims.checks import flaws_of
from ace.claims.model import CHAIN_CUT, GONE, Claim, ClaimInput, ClaimSet, Status, kept_text
from ace.claims.reading import Reading


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


@pytest.mark.parametrize("status", sorted(GONE))
def test_the_input_of_a_claim_is_read_back_with_the_statuses_of_its_chain(status: Status) -> None:
    # given a claim on one that is gone, by way of one that is not
    claims = ClaimSet(
        (
            Claim(1, "", status=status),
            Claim(2, "The lamp of claim 1.", (1,)),
            Claim(3, "The lamp of claim 2.", (2,)),
        )
    )
    # then whoever is handed the chain knows what is gone
    read_back = chain_set(claims.input_of(3))
    assert {claim.number: (claim.text, claim.status) for claim in read_back} == {
        claim.number: (claim.text, claim.status) for claim in claims
    }


def test_a_claim_is_its_own_whatever_its_chain_says() -> None:
    assert chain_set(ClaimInput(1, "A lamp.", ("1. A bulb.",)))[1].text == "A lamp."


def test_an_ancestor_without_its_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="number"):
        chain_set(ClaimInput(2, "The lamp of claim 1.", ("A lamp.",)))


ROOT = "A lamp comprising a drive shaft, two arms and at least one lens, the bulb being fixed to the shaft."
LEVER = "The lamp of claim 1, wherein the lever is red."
SETS = {
    "in a line": (
        ROOT,
        LEVER,
        "The lamp of claim 2, wherein the lever bends, and the handle of the lens turns.",
    ),
    "on two": (
        ROOT,
        "The lamp of claim 1, further comprising a lever.",
        "The lamp of claim 1, further comprising a spring.",
        "The lamp of claim 2 or 3, wherein the lever holds the spring.",
    ),
    "told again": (
        ROOT,
        "The lamp of claim 1, further comprising a guide shaft and a lens.",
        "The lamp of claim 2, wherein the shaft bears a drive shaft and the second shaft.",
    ),
    "on none": ("The lamp of claim 9, wherein the lever is red.", LEVER),
    "in a circle": ("The lamp of claim 2, wherein the lever is red.", "The lamp of claim 1, having the rod."),
    "one gone": (ROOT, "(Canceled)", "The lamp of claim 2, wherein the lever is red."),
    "deep": (ROOT, *(f"The lamp of claim {at}, wherein the lever {at} bears a rod." for at in range(1, 60))),
}


@pytest.mark.parametrize("name", SETS)
def test_a_chain_is_read_as_any_set_whatever_was_read_before(name: str) -> None:
    claims = kept_set(enumerate(SETS[name], start=1))
    inputs = [claims.input_of(claim.number) for claim in claims]
    for told in (*inputs, *reversed(inputs)):
        chain = chain_set(told)
        own = chain[told.number]
        assert list(flaws_of(ChainReading(chain), own)) == list(flaws_of(Reading(chain), own))
