"""Antecedent basis: each rule on its example and not on its twin, once per defect, with safe fixes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.analysis import check_set
from ace.claims.checks import antecedent
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of


def claims_of(*texts: str) -> ClaimSet:
    return ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, start=1)))


def flaws(claims: ClaimSet) -> list[tuple[int, Flaw]]:
    reading = Reading(claims)
    return [(claim.number, flaw) for claim in claims for flaw in antecedent.check(reading, claim)]


def told(claims: ClaimSet) -> list[tuple[int, str, str]]:
    return [
        (number, flaw.rule.subtype, claims[number].text[flaw.start : flaw.end])
        for number, flaw in flaws(claims)
    ]


def findings(text: str) -> list[tuple[int, str, str]]:
    found = check_set(read_text(text))
    return [
        (each.claim, each.rule_id, each.quote) for each in found if each.rule_id.startswith("antecedent.")
    ]


SILENT: list[tuple[str, list[str]]] = [
    (
        "the method itself",
        [("A method comprising heating milk, the method further comprising cooling the milk.")],
    ),
    ("a longer opening", ["A pump with a rotor.", "The rotary pump of claim 1, wherein the rotor is red."]),
    (
        "a claim of another kind",
        [
            "A pump with a rotor.",
            ("A method of using the pump of claim 1, the method comprising turning the rotor."),
        ],
    ),
    (
        "said working block again",
        [
            "A press with a working block.",
            ("The press of claim 1, wherein said working block presses a plate against said working block."),
        ],
    ),
    (
        "the first of several adjectives",
        [
            (
                "A method of milling grain, comprising washing and drying husks, wherein the washed, "
                "dried or ground husks are weighed."
            )
        ],
    ),
    (
        "a verb after a plural",
        ["A test yielding results on a yield.", "The test of claim 1, wherein the results show the yield."],
    ),
    ("initials in brackets", ["A radio with a band pass filter (BPF), wherein the BPF is tuned by a knob."]),
    ("the user's hand after the user", ["A grip for a user, wherein the user's hand is warmed by the grip."]),
    (
        "the step of",
        [
            (
                "A method of heating milk, the method comprising a step of stirring the milk, wherein "
                "the stirring step is short."
            )
        ],
    ),
    (
        "first and second",
        [("A stool with first and second legs, wherein the first leg is longer than the second leg.")],
    ),
    ("the legs", ["A stool with a first leg and a second leg, wherein the legs are round."]),
    ("each of the", ["A stool with three legs, wherein each of the legs has a foot."]),
    ("respective", ["A stool with three legs and a pad on each leg, wherein the respective pads are soft."]),
    ("the former and the latter", ["A cup and a lid, wherein the latter covers the former."]),
    (
        "adjectives of one noun",
        [
            (
                "A paint having physical and chemical properties, wherein the physical and "
                "chemical properties are stable."
            )
        ],
    ),
    ("an element told at once", ["A pump with a rotor, wherein the at least one rotor is red."]),
    (
        "a verb that no list has",
        [("A hub with a relay unit and a log, wherein the relay unit multicasts the log.")],
    ),
    ("a broken chain", ["A pump with a rotor.", "The pump of claim 9, wherein the gasket is red."]),
    (
        "an article glued to the word before",
        ["A hinge with a primary cam, anda secondary cam, wherein the secondary cam is steel."],
    ),
    (
        "a count before the long name",
        ["A radio with a first band pass filter (BPF) and a second one, wherein the first BPF is tuned."],
    ),
    (
        "a count before a group",
        [
            (
                "A stool with a first plurality of short legs and a second plurality of long legs, "
                "wherein said first short legs are red and said second long legs are blue."
            )
        ],
    ),
    (
        "a verb that governs the noun",
        [
            (
                "A method comprising showing an identified code, identifying a color, and using the "
                "identified color."
            )
        ],
    ),
    (
        "a counted thing made like another",
        [
            (
                "A method comprising: vacuum packing a first tray and a second tray; and stacking the "
                "vacuum packed first tray on the vacuum packed second tray."
            )
        ],
    ),
    ("another makes two", ["A press with a lever and another lever, wherein the two levers are steel."]),
    (
        "a plural that shares its noun",
        ["A press with a first lever and a second lever, wherein the first and the second levers bend."],
    ),
    (
        "the same room",
        ["A press with a lever and a plate, wherein the lever and the plate are in the same room."],
    ),
    (
        "the same kind as one of two",
        ["A press with an upper roller and a lower roller, and a brake that has the same roller."],
    ),
    (
        "what a process produces",
        ["A method comprising filtering, the filtering producing filtered mud, and drying the filtered mud."],
    ),
    ("a formula that is given", ["A compound having the formula I, wherein R is methyl."]),
]


@pytest.mark.parametrize(("name", "texts"), SILENT)
def test_what_looks_alike_is_no_flaw(name: str, texts: list[str]) -> None:
    assert told(claims_of(*texts)) == [], name


def test_what_is_inherent_is_told_with_a_signal_that_makes_it_unlikely() -> None:
    [(_, flaw)] = flaws(claims_of("A pump with a housing, wherein the surface is red."))
    assert (flaw.rule.subtype, "inherent" in flaw.signals) == ("no_basis", True)


@pytest.mark.parametrize("phrase", ["the outer surface", "the upper end"])
def test_an_inherent_part_is_no_finding(phrase: str) -> None:
    assert findings(f"1. A pump comprising a housing, wherein {phrase} is polished.") == []


@pytest.mark.parametrize(
    "text",
    [
        "A press for a fabric, wherein an oil is pressed onto the nap thereof.",
        "A press for a fabric, comprising the nap.",
        "A press for a fabric, wherein the fabric is the nap.",
        "A press for a fabric, wherein an oil is pressed onto the nap (a pile).",
    ],
)
def test_what_is_explained_or_stated_where_it_stands_is_no_flaw(text: str) -> None:
    assert not flaws(claims_of(text))
    assert flaws(claims_of("A press for a fabric, wherein an oil is pressed onto the nap."))


CIRCUMSTANCES: list[tuple[str, list[str], list[str]]] = [
    (
        "elsewhere",
        [
            "A pump with a housing.",
            "The pump of claim 1, with a red gasket.",
            "The pump of claim 1, wherein the red gasket is soft.",
        ],
        ["A pump with a housing, wherein the red gasket is soft."],
    ),
    (
        "once",
        ["A pump with a housing, wherein the gasket is red."],
        ["A pump with a housing, wherein the gasket is soft and the gasket is red."],
    ),
    (
        "few_claims",
        ["A pump, wherein the gasket is soft.", "A valve, wherein the gasket is red."],
        ["A pump, wherein the gasket is red."],
    ),
    (
        "in_place_of",
        [
            "A method comprising a filter holding a retentate, and removing the retentate from the filter.",
            "A method comprising a filter holding a retentate, and removing the residue from the filter.",
        ],
        ["A method comprising a filter holding a retentate, and removing the residue from the filter."],
    ),
    (
        "composed",
        ["A pump with a housing, wherein the gasket comprises rubber."],
        ["A pump with a housing, wherein the gasket is red."],
    ),
    (
        "composed",
        ["A coating with a pigment, wherein the pigments comprise chalk."],
        ["A coating with a pigment selected from the group comprising chalk and talc."],
    ),
    (
        "explained",
        ["A pump with a housing, wherein the gasket under pressure is red."],
        ["A pump with a housing, wherein the gasket is red."],
    ),
    (
        "introduced_noun",
        ["A pump with a housing, wherein the impeller is red."],
        ["A pump with a housing, wherein the edge is red."],
    ),
    (
        "introduced_noun",
        ["A pump with an air guide, wherein the impeller is red."],
        ["A pump with an impeller guide, wherein the impeller is red."],
    ),
    (
        "agent",
        ["A pump with a housing, wherein the stirrer is red."],
        ["A pump with a housing, wherein the gasket is red."],
    ),
    (
        "anatomy",
        ["A pump with a housing, wherein the liver is red."],
        ["A pump with a housing, wherein the gasket is red."],
    ),
]


@pytest.mark.parametrize(("signal", "likely", "twin"), CIRCUMSTANCES)
def test_a_signal_says_what_else_is_noticed(signal: str, likely: list[str], twin: list[str]) -> None:
    seen = [
        {each for _, flaw in flaws(claims_of(*texts)) for each in flaw.signals} for texts in (likely, twin)
    ]
    assert [signal in signals for signals in seen] == [True, False]


def test_a_brief_claim_has_a_signal() -> None:
    for housings, brief in ((1, True), (40, False)):
        [(_, flaw)] = flaws(claims_of(f"A pump with {'a housing, ' * housings} wherein the lid is red."))
        assert ("brief" in flaw.signals) is brief


TWICE = "A scale comprising a tray, a spring that carries the tray, and a pointer moved by a spring, "


@pytest.mark.parametrize(
    "text",
    [
        TWICE + "wherein the pointer is red.",
        TWICE.replace("that carries", "that is moved by a spring and carries") + "wherein the spring is red.",
        TWICE.replace("by a spring", "by another spring") + "wherein the spring is red.",
        TWICE.replace("moved by", "having") + "wherein the spring is red.",
        TWICE.replace("a pointer", "each arm") + "wherein the spring is red.",
        "A scale comprising a tray moved to a length and held at a length, wherein the length is short.",
    ],
    ids=["not taken up", "thrice", "another", "a part", "one for each", "a property"],
)
def test_what_two_things_have_or_nothing_takes_up_is_not_introduced_twice(text: str) -> None:
    assert "introduced_twice" not in {flaw.rule.subtype for _, flaw in flaws(claims_of(text))}


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        (TWICE + "wherein the spring is red.", {"alike_behind": False, "in_preamble": False}),
        (
            "A method of treating a patient, comprising taking blood from a patient, and moving the patient.",
            {"alike_behind": True, "in_preamble": True, "living": True},
        ),
    ],
)
def test_what_is_introduced_twice_has_signals(text: str, signals: dict[str, bool]) -> None:
    [twice] = [flaw for _, flaw in flaws(claims_of(text)) if flaw.rule.subtype == "introduced_twice"]
    assert {signal: signal in twice.signals for signal in signals} == signals


def test_a_defect_is_told_once_along_a_path_and_again_on_another_branch() -> None:
    found = told(
        claims_of(
            "A pump with a housing.",
            "The pump of claim 1, wherein the gasket is red and the gasket is soft.",
            "The pump of claim 2, wherein the gasket is thin.",
            "The pump of claim 1, wherein the gasket is wide.",
        )
    )
    assert found == [(2, "no_basis", "the gasket"), (4, "no_basis", "the gasket")]


FIXES: list[tuple[str, str]] = [
    (
        "A pump with a housing, wherein the impeller is red.",
        "A pump with a housing, wherein an impeller is red.",
    ),
    ("A pump with a housing, wherein said gasket is red.", "A pump with a housing, wherein a gasket is red."),
    (
        "A pump with a housing, wherein the huosing is red.",
        "A pump with a housing, wherein the housing is red.",
    ),
    (
        "A pump with housings, wherein the huosings are red.",
        "A pump with housings, wherein the housings are red.",
    ),
]


@pytest.mark.parametrize(("text", "mended"), FIXES)
def test_a_fix_removes_its_flaw_and_makes_no_other(text: str, mended: str) -> None:
    [(_, flaw)] = flaws(claims_of(text))
    fix = flaw.fix
    assert fix is not None
    assert text[: fix.start] + fix.replacement + text[fix.end :] == mended
    assert told(claims_of(mended)) == []


def test_a_word_that_may_be_a_verb_is_a_noun_where_that_noun_is_known() -> None:
    signals = "A circuit comprising a line for feedback signals, wherein the control signals are sampled."
    assert told(claims_of(signals)) == [(1, "unknown_modifier", "the control signals")]
    increase = "A car comprising a pressure increase, wherein the vehicle increases are measured."
    assert told(claims_of(increase)) == [(1, "unknown_modifier", "the vehicle increases")]


@pytest.mark.parametrize(
    ("before", "phrase", "article"),
    [
        ("a housing", "the lever", "a"),
        ("a housing", "the arm", "an"),
        ("a controller", "the control unit", None),  # another name of the same element may be meant
        ("a discharge tube", "the disc", None),
        ("a production line", "the rod", "a"),  # three letters alike mean nothing
    ],
)
def test_an_article_is_proposed_where_no_other_name_sounds_alike(
    before: str, phrase: str, article: str | None
) -> None:
    [(_, flaw)] = flaws(claims_of(f"A pump comprising {before}, wherein {phrase} is red."))
    assert (flaw.fix and flaw.fix.replacement) == article


def test_no_fix_where_an_article_would_be_wrong() -> None:
    [(_, flaw)] = flaws(claims_of("A pump with a housing, wherein the water is cold."))
    assert flaw.fix is None


def test_the_explanation_names_the_claims_concerned() -> None:
    [(_, sister)] = flaws(
        claims_of(
            "A pump.", "The pump of claim 1 with a gasket.", "The pump of claim 1, wherein the gasket is red."
        )
    )
    assert "claim 2" in sister.explanation
    [(_, some)] = flaws(
        claims_of(
            "A pump.",
            "The pump of claim 1 with a gasket.",
            "The pump of claim 1 or 2, wherein the gasket is red.",
        )
    )
    assert "3→1" in some.explanation


WORDS = """
    a the said two first second plurality of sensor sensors rotor drive shaft rotates detected surface BPF
    band pass filter and , ; wherein comprising has is huosing housing
"""
BODY = st.lists(st.sampled_from(WORDS.split()), max_size=25).map(" ".join)


@given(st.lists(st.tuples(st.integers(0, 5), BODY), min_size=2, max_size=6), st.integers(1, 6))
@settings(max_examples=150, deadline=None)
def test_removing_a_claim_touches_only_those_that_depend_on_it(
    drawn: list[tuple[int, str]], gone: int
) -> None:
    texts = [
        f"A pump, {body}." if not 0 < parent < number else f"The pump of claim {parent}, {body}."
        for number, (parent, body) in enumerate(drawn, start=1)
    ]
    whole = claims_of(*texts)
    gone = min(gone, len(texts))
    rest = ClaimSet(tuple(claim for claim in whole if claim.number != gone))
    unmoved = {claim.number for claim in rest if gone not in whole.ancestors(claim.number)}
    before = {(number, flaw.start, flaw.end) for number, flaw in flaws(whole) if number in unmoved}
    after = {(number, flaw.start, flaw.end) for number, flaw in flaws(rest) if number in unmoved}
    assert after == before


@given(st.text() | BODY)
def test_any_text_passes(text: str) -> None:
    for _, flaw in flaws(claims_of(text)):
        assert 0 <= flaw.start < flaw.end <= len(text)
        assert flaw.explanation
