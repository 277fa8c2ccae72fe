"""Ambiguity: what is unclear is shown where it stands, and clear uses of the same words are left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.claims.checks.ambiguity import check
from ace.claims.checks.ambiguity.terms import TERMS
from ace.claims.findings import Flaw
from ace.claims.model import Claim, ClaimSet
from ace.claims.readers import read_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of


def flaws(text: str) -> list[tuple[int, str, str, Flaw]]:
    reading = Reading(read_text(text, partial=True))
    return [
        (claim.number, flaw.rule.id, claim.text[flaw.start : flaw.end], flaw)
        for claim in reading.claims
        for flaw in check(reading, claim)
    ]


def quotes(text: str) -> list[str]:
    return [quote for _, _, quote, _ in flaws(text)]


def signals(text: str) -> set[str]:
    return {signal for *_, flaw in flaws(text) for signal in flaw.signals}


@pytest.mark.parametrize(
    "text",
    [
        "A rod about 5 mm long and substantially parallel to a wall that is approximately flat.",
        "A circuit comprising a low-pass filter, a high voltage line and a thin film transistor.",
        "A gearbox comprising a low gear and a high gear, wherein the signal is high.",
        "A valve that opens at a higher pressure than a spring allows and is large enough to pass a ball.",
        "A salt that is pharmaceutically acceptable in an effective amount.",
        "A switch that is normally closed and commonly connected to two lines.",
        "A display with one of a lens and a mirror, rather than both.",
        "A plate that is more strongly held than a frame and weakly coupled to it.",
        "A plate that is movable relatively to a frame by a predetermined distance to a desired place.",
        "A ring of nylon with windows in it.",
        "A layer of the same or similar thickness as a film.",
        "A device for determining what kind of paper is fed.",
        "A time sufficient to dry a coat, the coat being sufficiently thin that light passes.",
        "A pipe having a length greater than a width, and a width larger than a depth.",
    ],
)
def test_clear_uses_are_left_alone(text: str) -> None:
    assert quotes(f"1. {text}") == []


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("A pump comprising an appropriate housing.", "mild"),
        ("A pump made of tin or other metals.", "mild"),
        ("A very large pump comprising a housing.", "in_preamble"),
        ("A pump comprising a large rotor of high speed and a small rotor of low speed.", "paired"),
        ("A pump comprising a rotor of a high speed of 500 rpm.", "figure_near"),
        ("A pump comprising a relay that opens when a load of the pump is high.", "conditional"),
        ("A pump comprising a considerably higher wall.", "comparative"),
        ("A pump comprising a rotor, wherein a weight of the rotor is low.", "predicate"),
        ("A pump comprising the relatively thin wall.", "definite"),
        ("A pump comprising two walls, wherein the walls differ significantly.", "alone"),
        ("A pump comprising Solvarin® oil.", "signed"),
    ],
)
def test_doubt_is_told_by_signals(text: str, signal: str) -> None:
    assert signal in signals(f"1. {text}")


def test_a_definite_phrase_is_left_to_the_claim_that_introduced_it() -> None:
    parent = "1. A pump comprising a relatively thin wall."
    assert len(flaws(f"{parent}\n2. The pump of claim 1, wherein the relatively thin wall is flat.")) == 1
    assert len(flaws(f"{parent}\n2. The pump of claim 1, further comprising a relatively thin lid.")) == 2


def test_the_same_words_are_told_once_a_claim() -> None:
    assert quotes("1. A pump comprising a very thin lid and a very thin rim and a very large cap.") == [
        "very thin",
        "very large",
    ]


def test_an_open_group_is_closed_by_its_fix() -> None:
    text = "A coat of a pigment selected from the group comprising chalk and talc."
    [(_, _, _, flaw)] = flaws(f"1. {text}")
    assert flaw.fix is not None
    mended = text[: flaw.fix.start] + flaw.fix.replacement + text[flaw.fix.end :]
    assert mended == "A coat of a pigment selected from the group consisting of chalk and talc."
    assert flaws(f"1. {mended}") == []


PIECES = st.sampled_from(
    [*sorted(TERMS)[::7], "is ", "a ", "the ", " temperature", ", ", ". ", "®", "(TM)", "İ", "\n"]
)
TEXTS = st.lists(PIECES, min_size=1, max_size=30).map(" ".join) | st.text(min_size=1)


@given(st.lists(TEXTS, min_size=1, max_size=3))
@settings(max_examples=150)
def test_any_text_gives_spans_within_it(texts: list[str]) -> None:
    claims = ClaimSet(tuple(Claim(n, text, parents_of(text, n)) for n, text in enumerate(texts, 1)))
    reading = Reading(claims)
    for claim in claims:
        for flaw in check(reading, claim):
            assert 0 <= flaw.start < flaw.end <= len(claim.text)
            assert flaw.explanation.endswith(".")
            if flaw.fix:
                assert flaw.start <= flaw.fix.start <= flaw.fix.end <= flaw.end
