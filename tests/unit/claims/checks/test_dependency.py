"""The checks of dependency: the battery, the rules' own examples, fixes, and what a hostile set costs."""

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks.dependency import RULES, check
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet, Status
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of
from ace.claims.rules import Jurisdiction, Rule
from tests.unit.claims.battery import Row
from tests.unit.claims.battery.dependency import ROWS

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


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_one_defect_is_found_and_its_twin_is_clean(row: Row) -> None:
    assert found(row.text) == [(row.claim, row.rule_id.removeprefix("dependency."), row.quote)]
    assert found(row.twin) == []


def test_the_battery_has_every_rule() -> None:
    assert {row.rule_id for row in ROWS} == set(BY_ID)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.subtype)
def test_a_rule_finds_its_example_and_not_its_twin(rule: Rule) -> None:
    assert [subtype for _, subtype, _ in found(rule.example)] == [rule.subtype]
    assert found(rule.twin) == []


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


def _seconds(texts: list[str]) -> float:
    claims = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, 1)))
    started = time.process_time()
    flaws(claims)
    return time.process_time() - started


@pytest.mark.parametrize(
    "make",
    [
        lambda n: f"The pump of claim {n - 1}, wherein the rotor has {n} blades.",
        lambda n: "The pump of any preceding claim, wherein the rotor is hollow.",
        lambda n: f"The pump of claim {n + 1}, wherein the rotor has {n} blades.",
        lambda n: "The pump of any one of claims 1 to 900, without the rotor.",
    ],
    ids=["chain", "preceding", "forward", "ranges"],
)
def test_a_thousand_claims_cost_little_each(make: Callable[[int], str]) -> None:
    texts = ["A pump comprising a housing and a rotor.", *(make(n) for n in range(2, 1001))]
    assert _seconds(texts) < 3.0


@pytest.mark.parametrize(
    "filler", ["(", "the ", "claim 1, ", "claim ", " ", "of claim ", "claim 1 and ", "or claim 1 "]
)
def test_no_text_takes_long(filler: str) -> None:
    text = (filler * 50_000)[:50_000]
    assert _seconds(["A pump comprising a rotor.", f"The pump of claim 1, {text}."]) < 1.0
