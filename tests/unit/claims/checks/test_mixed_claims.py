"""Steps in claims to things, steps without a name, pointers out of the claim."""

import pytest

from ace.claims.checks.ambiguity import check
from ace.claims.model import ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading

LOCK = "A lock comprising a bolt and a button"


def told(text: str) -> list[tuple[str, str]]:
    claims: ClaimSet = read_text(text if text[0] == "1" else f"1. {text}", partial=True)
    reading = Reading(claims)
    return [
        (flaw.rule.subtype, claim.text[flaw.start : flaw.end])
        for claim in claims
        for flaw in check(reading, claim)
    ]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (
            f"1. {LOCK}.\n2. The lock of claim 1, comprising the step of oiling.",
            "comprising the step",
        ),
        (f"1. {LOCK}.\n2. The lock of claim 1, further including turning the bolt.", "including turning"),
        ("1. A lock, comprising: oiling a bolt; and turning the bolt.", "comprising: oiling"),
    ],
)
def test_a_step_is_no_part_of_a_thing(text: str, quote: str) -> None:
    assert told(text) == [("mixed_category", quote)]


@pytest.mark.parametrize(
    "text",
    [
        f"1. {LOCK}.\n2. The lock of claim 1, further comprising turning means.",
        f"1. {LOCK}.\n2. A method of using the lock of claim 1, further comprising turning the bolt.",
        f"1. {LOCK}, the lock configured to perform operations comprising turning the bolt.",
        "1. A system configured to perform operations comprising turning the bolt.",
        "1. A lock comprising comprising a bolt.",
    ],
)
def test_what_a_thing_is_made_for_is_lawful(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A method comprising heating a bar, wherein step d) is repeated.", ["step d)"]),
        ("A method comprising: a) heating a bar; and b) cooling it, wherein step (c) is slow.", ["step (c)"]),
        ("A method comprising heating a bar, wherein step 3 and step 3 are repeated.", ["step 3"]),
        ("A method comprising: (i) heating a bar; and (ii) cooling it, wherein steps (i) and (ii) end.", []),
        ("A method comprising a step a) heating a bar, and cooling the bar after step a).", []),
        ("A method comprising: step 1, heating a bar; and step 2, cooling it, wherein step 2 is long.", []),
        ("A method comprising computing a state at time step t from the state before.", []),
        ("A method comprising heating a bar in a step a user selects.", []),
    ],
)
def test_a_step_that_is_cited_has_a_name(text: str, expected: list[str]) -> None:
    assert [quote for subtype, quote in told(text) if subtype == "unknown_step"] == expected


def test_a_step_of_an_ancestor_has_a_name_and_one_of_a_lost_claim_may_have() -> None:
    own = "1. A method comprising: a) heating tar; and b) using it.\n2. The method of claim 1, with step b)."
    lost = "2. The method of claim 1, wherein step b) is repeated."
    assert told(own) == []
    assert told(f"1. A bar.\n{lost.replace('claim 1', 'claim 7')}") == []


@pytest.mark.parametrize(
    ("clause", "quote"),
    [
        ("wherein the bolt is as shown in FIG. 2", "as shown in FIG. 2"),
        ("wherein the bolt has a size from Table S3", "Table S3"),
        ("wherein the bolt is as listed in table 3", "as listed in table 3"),
        ("wherein the bolt is as shown in the drawings", "as shown in the drawings"),
        ("wherein the bolt has the size given in Table 3", "given in Table 3"),
        ("wherein the bolt is made according to Example 4", "according to Example 4"),
        ("wherein the bolt is formed as described in the specification", "as described in the specification"),
        ("substantially as described herein", "substantially as described herein"),
    ],
)
def test_a_claim_is_complete_in_itself(clause: str, quote: str) -> None:
    [(subtype, found)] = told(f"{LOCK}, {clause}.")
    assert (subtype, found) == ("points_elsewhere", quote)


@pytest.mark.parametrize(
    "clause",
    [
        "having an X-ray diffraction pattern as shown in FIG. 2",
        "wherein the bolt is drawn on a drawing board",
        "wherein the bolt lies on a table 12",
        "wherein the bolt has a figure of merit and a description",
        "wherein the bolt is set forth in SEQ ID NO: 2",
        "wherein the bolt is as described above with a hook",
    ],
)
def test_what_only_a_figure_shows_may_be_there(clause: str) -> None:
    assert told(f"{LOCK}, {clause}.") == []
