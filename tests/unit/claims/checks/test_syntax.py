"""Syntax: each flaw of form is shown where it stands, and lawful forms that look alike are left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks.syntax import check
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet, Note
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of


def flaws_of(claims: ClaimSet) -> list[tuple[int, str, str, Flaw]]:
    reading = Reading(claims)
    return [
        (claim.number, flaw.rule.id, claim.text[flaw.start : flaw.end], flaw)
        for claim in claims
        if claim.pending
        for flaw in check(reading, claim)
    ]


def flaws(text: str) -> list[tuple[int, str, str, Flaw]]:
    return flaws_of(read_text(text, partial=True))


def told(text: str) -> list[tuple[str, str]]:
    return [(rule.removeprefix("syntax."), quote) for _, rule, quote, _ in flaws(f"1. {text}")]


@pytest.mark.parametrize(
    "text",
    [
        "A culture of E. coli comprising a plasmid of SEQ ID NO. 5, grown at 37 deg. C as shown in FIG. 2.",
        "A compound of formula (I): R1-C(=O)-[CH2]n-R2.",
        'A label comprising a sheet that bears the inscription of "keep cool."',
        "A process comprising heating at 37° C. the temperature being held for 5 min.",
        "A method comprising: a) heating water; b) cooling the water; and (c) serving the water.",
        "A method comprising: a) heating water on a hob, stepa) being repeated on ice.",
        "A method comprising: i. heating water, i.e. to 90° C.; and ii. cooling the water, e.g. on ice.",
        "A ratio of the form [0, 1) in a table, comprising a row (1) and a row (2).",
        "A switch comprising a lever, wherein the lever had had a coat before the switch is turned on.",
        "A method comprising storing in the memory a key and applying to a substrate a coat.",
        "A method comprising: receiving a signal indicating a state; and sending the signal to a server.",
        "A salt of an acid.",
        "The ornamental design for a lid of a beverage container with two handles, as shown and described.",
        "What is claimed is a pump comprising a housing.",
        "Apparatus comprising a lens (12) and lenses (12), the first lens (12) being round.",
        "A device having wheels (3, 4), a step (1) of turning and a compound (1) of formula (1).",
        "A method, comprising the following steps: heating water; and cooling the water.",
        "A housing that defines a bore, supports a lid and contacts a wall.",
        "A list of items, comprising: one...; two.",
    ],
)
def test_lawful_forms_are_left_alone(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A pump comprising a rotor and a valve, and", [("broken_off", "and")]),
        ("A pump comprising a rotor.The rotor is round.", [("several_sentences", "rotor.The")]),
        ("A pump comprising a rotor! It is round.", [("several_sentences", "rotor! It")]),
        ("A pump comprising a [lid (of brass].", [("unbalanced_bracket", "(")]),
        ("A pump comprising: (a) a lid; b) a rim; and (c) a hub.", [("unbalanced_bracket", ")")]),
        ("A pump comprising a lid : : a rim.", [("doubled_punctuation", ": :")]),
        ("A pump comprising a lid; and; a rim.", [("doubled_punctuation", "; and;")]),
        ("A pump comprising a pair of of lids.", [("doubled_word", "of of")]),
        (
            "A pump comprising: a lid; a rim (2) a hub (3); and a pin (4).",
            [("missing_punctuation", "rim (2) a")],
        ),
        (
            "A method comprising: heating water; cooling the water heating the oil; and serving the oil.",
            [("missing_punctuation", "water heating")],
        ),
    ],
)
def test_more_forms_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        (
            Note("duplicate_number", "claim number 1 is used more than once", 2),
            [(2, "syntax.duplicate_number")],
        ),
        (Note("unknown_status", "the status of claim 2 is unknown", 2), [(2, "syntax.status_identifier")]),
        (Note("not_understood", "a passage was left out"), [(1, "syntax.not_understood")]),
        (Note("empty_claim", "claim 7 is empty", 7), [(1, "syntax.not_understood")]),
        (Note("text_after_claims", "text after the claims was left out"), []),
    ],
)
def test_notes_of_the_reader_become_flaws_of_their_claim(note: Note, expected: list[tuple[int, str]]) -> None:
    claims = tuple(Claim(number, f"A pump comprising a lid {number}.") for number in (1, 2))
    assert [found[:2] for found in flaws_of(ClaimSet(claims, (note,)))] == expected


def test_a_note_of_the_reader_is_quoted_as_a_sentence() -> None:
    claims = ClaimSet((Claim(1, "A pump."),), (Note("empty_claim", "claim 7 is empty", 7),))

    assert [flaw.explanation for *_, flaw in flaws_of(claims)] == ["Claim 7 is empty."]


WORDS = [
    "A pump",
    " comprising",
    " a ",
    "the ",
    "the the",
    "rotor",
    " and",
    "claim 1",
    "lid a ",
    " heating the ",
]
MARKS = [". The ", ";;", ",", ".", "(", ")", "a) ", "b) ", "[0, 1)", ":", " (12)", "É", "ı", "。", "\n"]
PIECES = st.sampled_from(WORDS + MARKS)
TEXTS = st.lists(PIECES, min_size=1, max_size=30).map("".join) | st.text(min_size=1)


@given(st.lists(TEXTS, min_size=1, max_size=3))
@settings(max_examples=200)
def test_any_text_gives_spans_within_it(texts: list[str]) -> None:
    claims = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, 1)))
    reading = Reading(claims)
    for claim in claims:
        for flaw in check(reading, claim):
            assert 0 <= flaw.start < flaw.end <= len(claim.text)
            assert flaw.explanation.endswith(".")
            if flaw.fix:
                assert 0 <= flaw.fix.start <= flaw.fix.end <= len(claim.text)


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("A method of making a lid pressing a sheet of tin and trimming it.", ["A method of making a lid"]),
        *(
            (f"A method of making a lid, {words} pressing a sheet of tin and trimming it.", [])
            for words in (
                *("comprising", "COMPRISING", "consisting of", "INCLUDING", "characterized by"),
                *("Characterised by", "the IMPROVEMENT of", "Composed of"),
            )
        ),
        ("The ORNAMENTAL design of a lamp with a base under a shade of a tube of glass.", []),
        ("An antibody that binds lead, for use in the treatment of people who drank it.", []),
    ],
)
def test_a_preamble_without_a_transition(text: str, quotes: list[str]) -> None:
    assert [quote for rule, quote in told(text) if rule == "no_transition"] == quotes


def test_of_many_unpaired_brackets_a_few_are_told() -> None:
    found = told(f"A pump comprising {'(' * 5_000} a housing.")
    assert 1 <= sum(rule == "unbalanced_bracket" for rule, _ in found) <= 5


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("A box comprising: a lid; a hinge; and a first wall a second wall; and a base.", "wall a"),
        ("A kit comprising: a lid; a hinge for steel a base plate; and steel.", "steel a"),
    ],
)
def test_an_element_runs_into_the_next(text: str, quote: str) -> None:
    assert ("missing_punctuation", quote) in told(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A method comprising: casting a lid; cooling the lid drilling a hole; and washing the lid.", True),
        (
            "A method comprising: casting a lid; drawing a line indicating the edge; and washing the lid.",
            False,
        ),
    ],
)
def test_a_step_runs_into_the_next(text: str, expected: bool) -> None:
    assert (("missing_punctuation") in {rule for rule, _ in told(text)}) is expected
