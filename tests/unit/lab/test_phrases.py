"""Noun phrases by rule."""

import pytest

from ace.lab.phrases import article_for, definite, indefinite, occurrences, occurs


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("a rigid spout, and an outer rim", ["rigid spout", "outer rim"]),
        ("a bolt mounted firmly on top of a lid", ["bolt", "lid"]),
        ("a pump comprising at least one rotor", ["pump"]),
        ("a method of making cups", []),
        ("a spout and a ring", ["spout"]),  # too near: passed over, which costs a place, no more
        ("a sealing-ring holder, a B", ["sealing-ring holder"]),
        ("an  oddly spaced lid", []),
        ("such as a", []),
        ("a housing", []),  # taken for a participle, as "a moving" would be
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


@pytest.mark.parametrize(("word", "article"), [("axle", "an"), ("lid", "a"), ("Outer", "an")])
def test_article_for(word: str, article: str) -> None:
    assert article_for(word) == article
