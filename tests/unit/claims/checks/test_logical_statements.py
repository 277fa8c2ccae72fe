"""How the checks on logic read statements, shares and rates, and what they must let pass."""

import pytest

from ace.claims.checks.logical import check
from ace.claims.checks.logical.rates import rates
from ace.claims.checks.logical.statements import Statement, statements
from ace.claims.language.materials import excluding
from ace.claims.language.opposites import unnegated
from ace.claims.language.verb_forms import base_of, gerund, participle, third_person
from ace.claims.model import ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading


def read(text: str) -> list[Statement]:
    return list(statements(Reading(ClaimSet(())), text))


DENIED = [
    "the rotor never touches the casing",
    "the rotor does not touch the casing",
    "the rotor cannot touch the casing",
    "the rotor is arranged not to touch the casing",
    "the rotor is prevented from touching the casing",
    "the rotor is unable to touch the casing",
]


@pytest.mark.parametrize("text", DENIED)
def test_every_way_to_deny_a_verb_is_read_as_its_denial(text: str) -> None:
    (said,) = read(text)
    assert (said.subject.words, said.verb, said.negated) == (("rotor",), "touch", True)
    assert said.complement == ("the", "casing")


@pytest.mark.parametrize(
    ("text", "frequency", "negated"),
    [
        ("the lid is always open", "always", False),
        ("the lid is open at all times", "always", False),
        ("the lid is sometimes open", "sometimes", False),
        ("the lid is not always open", "sometimes", False),
        ("the lid is open only during loading", "sometimes", False),
        ("the lid is never open", "", True),
    ],
)
def test_how_often_a_statement_holds(text: str, frequency: str, negated: bool) -> None:
    (said,) = read(text)
    assert (said.frequency, said.negated, said.complement) == (frequency, negated, ("open",))


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("each lid is open", "all"),
        ("all of the lids are open", "all"),
        ("at least one lid is open", "some"),
        ("a portion of the lid is open", "some"),
    ],
)
def test_of_how_many_a_statement_holds(text: str, scope: str) -> None:
    (said,) = read(text)
    assert (said.subject.words, said.scope) == (("lid",), scope)


def test_a_subject_that_is_left_out_is_the_one_before() -> None:
    first, second, third = read("wherein the arm is rigid, but turns, and wherein the lid is open")
    assert first.subject.words == second.subject.words == ("arm",)
    assert second.elided
    assert third.subject.words == ("lid",)


@pytest.mark.parametrize(
    ("text", "times_a_day"),
    [("once daily", 1), ("twice per day", 2), ("every two weeks", 1 / 14), ("three times a week", 3 / 7)],
)
def test_rates(text: str, times_a_day: float) -> None:
    (rate,) = rates(f"is given {text}.")
    assert rate.low == rate.high == pytest.approx(times_a_day)


def test_materials_exclude_each_other_unless_one_is_a_kind_of_the_other() -> None:
    assert excluding("steel", "nylon")
    assert excluding("copper", "aluminum")
    assert not excluding("steel", "metal")
    assert not excluding("metallic", "brass")
    assert not excluding("silicone", "rubber")
    assert not excluding("steel", "unobtainium")


def test_words_without_their_denial() -> None:
    assert unnegated("uncoated") == "coated"
    assert unnegated("unheated") == "heated"
    assert unnegated("underlined") is None
    assert unnegated("united") is None


def test_forms_of_verbs() -> None:
    assert [third_person(verb) for verb in ("touch", "carry", "run")] == ["touches", "carries", "runs"]
    assert [gerund(verb) for verb in ("slide", "spin", "touch", "lie")] == [
        "sliding",
        "spinning",
        "touching",
        "lying",
    ]
    assert [participle(verb) for verb in ("bend", "carry", "slide", "stop")] == [
        "bent",
        "carried",
        "slided",
        "stopped",
    ]
    assert [base_of(form) for form in ("touches", "carries", "runs", "glass")] == [
        "touch",
        "carry",
        "run",
        "glass",
    ]


SILENT = {
    "a part that moves": "1. A drill comprising a frame and a shaft, wherein the frame is stationary, and "
    "wherein the "
    "shaft rotates.",
    "at rest against one thing only": "1. A lift comprising a cage and a rail, wherein the cage is "
    "stationary relative to the load.\n2. The lift of claim 1, wherein the cage moves along the rail.",
    "what moves another thing": "1. A crane comprising an arm and a hook, wherein the arm is fixed in "
    "place, and "
    "wherein the arm moves the hook.",
    "either of two": "1. A pad comprising a film, wherein the film is made of steel or is made of nylon.",
    "a kind of what was said": "1. A pad comprising a film made of a metal.\n2. The pad of claim 1, "
    "wherein the "
    "film is "
    "made of steel.",
    "two blocks of alternatives": "1. A method comprising heating a plate, wherein the plate allows "
    "flow; or cooling "
    "the "
    "plate, wherein the plate prevents flow.",
    "one of several that differ": "1. A set comprising a ring that is open and a ring that is "
    "closed.\n2. The set of "
    "claim 1, wherein the ring is open.",
    "more than two": "1. A table comprising a top having two legs.\n2. The table of claim 1, wherein the "
    "top has four "
    "legs.",
    "heated in two steps": "1. A method comprising heating a melt to 80 °C; and heating the melt "
    "to 120 °C.\n2. "
    "The "
    "method of claim 1, wherein the melt is heated to 120 °C.",
    "a balance": "1. A steel consisting of 10 to 20 wt% of chromium, 5 to 10 wt% of nickel and balance iron.",
    "parts per another": "1. A mix comprising 60 to 70 wt% of sand and 50 to 60 wt% of water based on the "
    "sand.",
    "in the group": "1. A pad comprising a metal selected from the group consisting of copper, silver "
    "and gold.\n2. The "
    "pad of claim 1, wherein the metal is gold.",
    "to the left and arranged": "1. A rack comprising a shelf and a rail, wherein the shelf is "
    "arranged to the left "
    "of "
    "the rail, and wherein the rail is arranged to the right of the shelf.",
}


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT.keys())
def test_what_looks_alike_is_not_flagged(text: str) -> None:
    reading = Reading(read_text(text))
    assert not [flaw for claim in reading.claims for flaw in check(reading, claim)]
