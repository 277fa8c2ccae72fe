"""Persons who act and steps in claims to things, steps without a name, pointers out of the claim."""

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
    ("clause", "quote"),
    [
        ("wherein the user presses the button", "user presses"),
        ("wherein an operator manually turns the bolt", "operator manually turns"),
        ("whereby users then pull the bolt", "users then pull"),
        ("wherein, in use, a person grips the bolt", "person grips"),
        ("and the customer inserts a coin", "customer inserts"),
        ("wherein the button is pushed by the user", "is pushed by the user"),
        ("wherein the bolt is taken out by a technician", "is taken out by a technician"),
        ("the patient holding the button", "patient holding"),
        ("wherein the user must select a code", "user must select"),
        ("wherein the driver pushes the button", "driver pushes"),
        ("further comprising the step of oiling the bolt", "further comprising the step of"),
        ("further comprising turning the bolt", "further comprising turning"),
        ("wherein the method comprises turning the bolt", "wherein the method comprises"),
    ],
)
def test_what_is_done_with_a_thing_is_no_part_of_it(clause: str, quote: str) -> None:
    assert told(f"{LOCK}, {clause}.") == [("mixed_category", quote)]


@pytest.mark.parametrize(
    "clause",
    [
        "wherein the button is configured to be pressed by a user",
        "wherein the button is for a user to press",
        "the button allowing the user to turn the bolt",
        "wherein the bolt moves when the user presses the button and the user turns the bolt",
        "wherein, if an operator selects the button, the bolt moves",
        "wherein the bolt can be turned by the user",
        "wherein the button is worn by the user",
        "wherein the user is located near the bolt",
        "wherein a user interface shows the bolt",
        "wherein the driver controls the bolt",
        "wherein the driver inserts a pause",
        "wherein the bolt that the user turns is flat",
        "wherein the user inputs are stored",
        "the system configured to perform operations comprising turning the bolt",
    ],
)
def test_what_a_thing_is_made_for_is_lawful(clause: str) -> None:
    assert told(f"{LOCK}, {clause}.") == []


def test_in_a_method_a_person_may_act() -> None:
    assert told("A method of locking, comprising turning a bolt, wherein the user presses a button.") == []


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
        ("wherein the bolt is as shown in FIG. 2", "is as shown in FIG. 2"),
        ("wherein the bolt has the size given in Table 3", "given in Table 3"),
        ("wherein the bolt is made according to Example 4", "according to Example 4"),
        ("wherein the bolt is formed as described in the specification", "as described in the specification"),
        ("substantially as described herein", "as described herein"),
    ],
)
def test_a_claim_is_complete_in_itself(clause: str, quote: str) -> None:
    [(subtype, found)] = told(f"{LOCK}, {clause}.")
    assert subtype == "points_elsewhere"
    assert quote.endswith(found) or found.endswith(quote)


@pytest.mark.parametrize(
    "clause",
    [
        "having an X-ray diffraction pattern as shown in FIG. 2",
        "wherein the bolt is drawn on a drawing board",
        "wherein the bolt is set forth in SEQ ID NO: 2",
        "wherein the bolt is as described above with a hook",
    ],
)
def test_what_only_a_figure_shows_may_be_there(clause: str) -> None:
    assert told(f"{LOCK}, {clause}.") == []
