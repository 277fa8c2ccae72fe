"""Noun phrases by rule."""

import pytest

from ace_lab.injectors.phrases import article_for, definite, indefinite, occurrences, occurs


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("a rigid spout, and an outer rim", ["rigid spout", "outer rim"]),
        ("a bolt mounted firmly on top of a lid", ["bolt", "lid"]),
        ("a pump comprising at least one rotor", ["pump"]),
        ("a method of making cups", []),
        ("a milking method", ["milking method"]),
        ("a spout and a ring", ["spout", "ring"]),
        ("a sealing-ring holder, a B", ["sealing-ring holder"]),
        ("an  oddly spaced lid", []),
        ("such as a", []),
        # Nouns in -ing are nouns, participles are not.
        ("a housing, a spring and an opening", ["housing", "spring", "opening"]),
        ("a coated bearing of a winding", ["coated bearing", "winding"]),
        ("a moving, a coupled", []),
        # What may be a verb is left out, and so is what names no thing.
        ("a module queries the list", ["module"]),
        ("the module, a module rotating parts", []),
        ("in a manner, a plurality of a kind", []),
        ("an approximately round lid", []),
        ("an input/output port", []),
        ("A first gear of a gear train (12)", ["first gear", "gear train"]),
    ],
)
def test_indefinite(text: str, phrases: list[str]) -> None:
    found = indefinite(text)
    assert [phrase.text for phrase in found] == phrases
    for phrase in found:
        assert text[phrase.start : phrase.end] == f"{phrase.article} {phrase.text}"


def test_definite_takes_said_and_the_whatever_their_case() -> None:
    assert [(p.article, p.text) for p in definite("The lid, said outer rim")] == [
        ("The", "lid"),
        ("said", "outer rim"),
    ]


@pytest.mark.parametrize(
    ("head", "text", "expected"),
    [
        ("spring", "two springs", True),
        ("springs", "a spring", True),
        ("spring", "a mainspring", False),
        ("spring", "a spring-loaded lid", False),
        ("glass", "a glas", False),
        ("box", "Boxes", True),
    ],
)
def test_occurs_in_either_number(head: str, text: str, expected: bool) -> None:
    assert occurs(head, text) is expected


def test_occurrences_are_offsets() -> None:
    assert occurrences("lid", "a lid, the lids") == [(2, 5), (11, 15)]


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("axle", "an"),
        ("lid", "a"),
        ("Outer", "an"),
        ("useful", "a"),
        ("unit", "a"),
        ("unusual", "an"),
        ("one-way", "a"),
        ("hourly", "an"),
    ],
)
def test_article_for(word: str, article: str) -> None:
    assert article_for(word) == article


def test_what_is_returned_can_be_changed_without_changing_what_comes_next() -> None:
    indefinite("a lid").clear()
    assert [phrase.text for phrase in indefinite("a lid")] == ["lid"]
