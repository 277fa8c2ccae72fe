"""Noun phrases: where each begins and ends, and what determines it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.language.noun_phrases import Determiner, noun_phrases
from ace.claims.language.words import split_words, words_of


def phrases(text: str) -> list[str]:
    return [text[phrase.start : phrase.end] for phrase in noun_phrases(words_of(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the rotor is hollow.", "the rotor"),
        ("the drive shaft of the pump", "the drive shaft"),
        ("the control module determines a value", "the control module"),
        ("the shaft rotates about an axis", "the shaft"),
        ("the fluid flows its course", "the fluid"),
        ("such fluid is", "such fluid"),
        ("each such seal is", "each such seal"),
        ("the other seal is", "the other seal"),
        ("the only seal is", "the only seal"),
        ("the record encoding a name", "the record"),
        ("the two pins the lever turns", "the two pins"),
        ("the time constant is", "the time constant"),
        ("the cam providing resistance to", "the cam"),
        ("the power providing unit is", "the power providing unit"),
        ("the pressure constant over", "the pressure"),
        ("a door opening and closing drive unit that", "a door opening and closing drive unit"),
        ("the sensor detecting and measuring light", "the sensor detecting"),
        ("an inward/outward direction of", "an inward/outward direction"),
        ("a cylinder inward/outward direction of", "a cylinder inward/outward direction"),
        ("anda second pin is", "anda second pin"),
        ("the base havinga second pin is", "the base"),
        ("the sensor mounted on a wall", "the sensor"),
        ("the sleeve slidably mounted on a rod", "the sleeve"),
        ("the port adjacent to a wall", "the port"),
        ("the scheduler empties the queue", "the scheduler"),
        ("the input/output port of a chip", "the input/output port"),
        ("said at least one pin is", "said at least one pin"),
        ("the one or more pins are", "the one or more pins"),
        ("the plurality of pins are", "the plurality of pins"),
        ("the two arms are", "the two arms"),
        ("the substantially planar wall is", "the substantially planar wall"),
        ("the axially movable sleeve is", "the axially movable sleeve"),
        ("the housing 12 is", "the housing 12"),
        ("the housing (12a) is", "the housing (12a)"),
        ("the user's hand is", "the user"),
        ("the detected motion is", "the detected motion"),
        ("the bearing is", "the bearing"),
        ("the method set forth in the brief", "the method"),
        ("the steps set out below", "the steps"),
        ("the rotor afterwards turns", "the rotor"),
    ],
)
def test_a_definite_phrase_ends_before_what_is_no_noun(text: str, expected: str) -> None:
    assert phrases(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "determiner", "words", "several"),
    [
        ("a pump", Determiner.INDEFINITE, ("pump",), False),
        ("one or more drive shafts", Determiner.NUMBER, ("drive", "shafts"), True),
        ("at least one shaft", Determiner.NUMBER, ("shaft",), False),
        ("a plurality of shafts", Determiner.NUMBER, ("shafts",), True),
        ("each shaft", Determiner.EACH, ("shaft",), False),
        ("the shaft", Determiner.THE, ("shaft",), False),
        ("said shaft", Determiner.SAID, ("shaft",), False),
        ("the said shaft", Determiner.SAID, ("shaft",), False),
        ("these shafts", Determiner.THESE, ("shafts",), True),
        ("each of the shafts", Determiner.THE, ("shafts",), True),
        ("water", Determiner.NONE, ("water",), False),
    ],
)
def test_what_stands_before_the_noun(
    text: str, determiner: Determiner, words: tuple[str, ...], several: bool
) -> None:
    [phrase] = noun_phrases(words_of(text))
    assert (phrase.determiner, phrase.words, phrase.several) == (determiner, words, several)


def test_of_each_of_the_only_the_definite_part_is_the_phrase() -> None:
    assert phrases("each of the shafts") == ["the shafts"]


def test_a_verb_that_may_be_a_noun_leaves_a_place_to_cut() -> None:
    [phrase, *_] = noun_phrases(words_of("the controller outputs data"))
    assert phrase.cuts == (1,)


def test_a_reference_numeral_belongs_to_the_phrase_and_a_measure_does_not() -> None:
    [numbered, *_] = noun_phrases(words_of("the arm 14 turns"))
    assert numbered.numeral == "14"
    assert phrases("a width of the arm 5 mm above") == ["a width", "the arm", "mm"]


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["the", "a", "said", "first", "of", ",", "(", ")", "5", "mm", "sensor", "detects", "'s", "-", "/"]
        )
    ).map(" ".join)
)
def test_phrases_stand_in_order_within_the_text(text: str) -> None:
    end = 0
    for phrase in noun_phrases(words_of(text)):
        assert 0 <= phrase.start < phrase.end <= len(text)
        assert end <= phrase.start
        assert phrase.words
        assert len(phrase.words) == len(phrase.ends)
        assert all(0 < cut < len(phrase.words) for cut in phrase.cuts)
        end = phrase.ends[0]


@pytest.mark.parametrize(
    "text",
    [
        "A gate with a door opening and closing drive unit, and a heating or cooling device of the gate.",
        "The first and the second seals, each of one or more input/output ports (IO) set forth in claim 1.",
    ],
)
def test_a_text_may_break_off_anywhere(text: str) -> None:
    words = split_words(text)
    for size in range(len(words) + 1):
        assert all(phrase.last <= size for phrase in noun_phrases(words[:size]))
