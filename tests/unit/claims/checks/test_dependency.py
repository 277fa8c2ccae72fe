"""The checks of dependency: the battery, the rules' own examples, fixes, and what a hostile set costs."""

import re
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks.dependency import RULES, check
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of
from ace.claims.rules import Jurisdiction

BY_ID = {rule.id: rule for rule in RULES}
_LINE = re.compile(r"(\d+)\. (?:\((Canceled|New|Original|Currently amended)\) ?)?(.*)")


def claims_of(text: str) -> ClaimSet:
    """A claim set from one line per claim; "(Canceled)" claims are gone."""
    return ClaimSet(tuple(_claim(int(m[1]), m[3], m[2]) for m in _LINE.finditer(text)))


def _claim(number: int, text: str, status: str | None) -> Claim:
    gone = status == "Canceled"
    return Claim(
        number,
        "" if gone else text,
        () if gone else parents_of(text, number),
        Status.CANCELED if gone else None,
    )


def flaws(claims: ClaimSet) -> list[tuple[int, Flaw]]:
    reading = Reading(claims)
    return [(claim.number, flaw) for claim in claims if claim.pending for flaw in check(reading, claim)]


def found(text: str) -> list[tuple[int, str, str]]:
    """(claim, subtype, quote) of every flaw."""
    claims = claims_of(text)
    return [(n, flaw.rule.subtype, claims[n].text[flaw.start : flaw.end]) for n, flaw in flaws(claims)]


def test_the_epc_allows_multiple_on_multiple_and_the_us_does_not() -> None:
    rule = BY_ID["dependency.multiple_on_multiple"]
    assert rule.provision(Jurisdiction.EPC) is None
    us = rule.provision(Jurisdiction.US)
    assert us is not None
    assert "1.75(c)" in us.law


PUMP = "1. A pump comprising a housing and a rotor mounted in the housing.\n"


@pytest.mark.parametrize(
    "more",
    [
        ["2. The device of claim 1, wherein the rotor is hollow."],
        ["2. The rotor of claim 1, wherein the rotor is hollow."],
        ["2. The invention of claim 1, wherein the rotor is hollow."],
        ["2. The pumps of claim 1, wherein the rotor is hollow."],
        ["2. A method for operating a pump according to claim 1, wherein the rotor is turned."],
        [
            "2. A method of using the pump of claim 1.",
            "3. The method of claim 2, wherein the rotor is turned.",
        ],
        ["2. A vehicle comprising the pump of claim 1."],
        ["2. Use of the pump of claim 1 for moving water."],
        ["2. The portable pump of claim 1."],
        ["2. The pump of claim 1 of U.S. Patent No. 9,999,999, wherein the rotor is hollow."],
        [
            "2. A method for making a pump, comprising turning a rotor.",
            "3. The method for making a pump according to claim 2, further comprising cooling the rotor.",
        ],
        [
            "2. A method for making a pump, comprising turning a rotor.",
            "3. A pump made by the method of claim 2.",
        ],
        [
            "2. The pump of claim 1, wherein the rotor is hollow.",
            "3. A method of operating the pump of claim 1 or 2.",
        ],
        ["2. The pump of claim 1, wherein the rotor is:", "3. The pump of claim 1, wherein the rotor is:"],
    ],
    ids=" ".join,
)
def test_what_looks_alike_is_left_alone(more: list[str]) -> None:
    assert found(PUMP + "\n".join(more)) == []


@pytest.mark.parametrize(
    ("reference", "mended"),
    [
        ("of claims 1 and 2", "of any one of claims 1 and 2"),
        ("of claim 1 and 2", "of any one of claims 1 and 2"),
        ("of the claims 1 to 2", "of any one of claims 1 to 2"),
        ("of claim 1 and claim 2", "of any one of claims 1 and claim 2"),
    ],
)
def test_the_fix_of_a_sum_makes_it_a_choice(reference: str, mended: str) -> None:
    # given a claim that adds its parents up
    start = PUMP + "2. The pump of claim 1, wherein the rotor is hollow.\n"
    claims = claims_of(start + f"3. The pump {reference}, wherein the housing is closed.")
    ((number, flaw),) = flaws(claims)
    # when the fix is made
    assert flaw.fix is not None
    text = claims[number].text
    fixed = text[: flaw.fix.start] + flaw.fix.replacement + text[flaw.fix.end :]
    # then it refers to them in the alternative, and nothing else is wrong
    assert fixed == f"The pump {mended}, wherein the housing is closed."
    assert found(start + f"3. {fixed}") == []


@pytest.mark.parametrize("text", ["The claims 1 and 2.", "A pump as in the claims 1 and 2."])
def test_the_fix_takes_the_article_before_the_reference_with_it(text: str) -> None:
    claims = claims_of(f"{PUMP}2. The pump of claim 1, wherein the rotor is hollow.\n3. {text}")
    fixes = [flaw.fix for number, flaw in flaws(claims) if number == 3 and flaw.fix]
    assert [text[fix.start : fix.end].lower() for fix in fixes] == ["the claims"]


def test_a_circle_is_told_once_at_the_reference_that_goes_forward() -> None:
    text = PUMP + "".join(
        f"{n}. The pump of claim {p}, wherein the housing has {n} bolts.\n"
        for n, p in [(2, 5), (3, 2), (4, 3), (5, 4)]
    )
    assert found(text) == [(2, "circular", "claim 5")]


def test_removing_a_claim_breaks_only_the_claims_that_refer_to_it() -> None:
    more = [
        "2. The pump of claim 1, wherein the rotor is hollow.",
        "3. The pump of claim 1, wherein the rotor is light.",
    ]
    claims = claims_of(PUMP + "\n".join(more))
    without = ClaimSet(tuple(claim for claim in claims if claim.number != 2))
    assert flaws(without) == []


_WORDS = st.sampled_from(
    ["The", "A", "pump", "method", "of", "claim", "claims", "1", "2", "3", "4", "or", "and", "to"]
)
_MARKS = st.sampled_from(
    [",", ";", ".", "any", "wherein", "the", "preceding", "rotor", "is", "without", "said"]
)


@settings(max_examples=150)
@given(
    st.lists(
        st.lists(_WORDS | _MARKS, max_size=14).map(" ".join) | st.text(max_size=60), min_size=1, max_size=6
    )
)
def test_any_set_is_judged_and_every_span_is_in_its_claim(texts: list[str]) -> None:
    claims = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, 1)))
    for number, flaw in flaws(claims):
        length = len(claims[number].text)
        assert 0 <= flaw.start < flaw.end <= length
        assert flaw.explanation.endswith(".")


@pytest.mark.parametrize(
    ("make", "rules"),
    [
        (lambda n: f"The pump of claim {n - 1}, wherein the rotor has {n} blades.", {}),
        (
            lambda n: "The pump of any preceding claim, wherein the rotor is hollow.",
            {"multiple_on_multiple": 997, "duplicate_claim": 1},
        ),
        (
            lambda n: f"The pump of claim {n + 1}, wherein the rotor has {n} blades.",
            {"forward": 998, "nonexistent": 1},
        ),
        (
            lambda n: "The pump of any one of claims 1 to 900, without the rotor.",
            {"forward": 800, "multiple_on_multiple": 100, "self": 99},
        ),
    ],
    ids=["chain", "preceding", "forward", "ranges"],
)
def test_a_thousand_claims_are_each_judged(make: Callable[[int], str], rules: dict[str, int]) -> None:
    texts = ["A pump comprising a housing and a rotor.", *(make(n) for n in range(2, 1001))]
    claims = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, 1)))
    assert Counter(flaw.rule.subtype for _, flaw in flaws(claims)) == rules
