"""Words of a claim, and the two reductions by which they are compared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.language.words import (
    KEPT_CHARACTERS,
    is_superlative,
    kept_by_text,
    lemma,
    plural_of,
    root,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A band-pass filter", ["a", "band-pass", "filter"]),
        ("the user's X-ray tube", ["the", "user's", "x-ray", "tube"]),
        ("5mm to 1.5 mm", ["5", "mm", "to", "1.5", "mm"]),
        ("claims 1-3", ["claims", "1", "-", "3"]),
        ("a 3-way valve", ["a", "3-way", "valve"]),
        ("the 1st arm (12a)", ["the", "1st", "arm", "(", "12a", ")"]),
        ("input/output; 10,000 V", ["input", "/", "output", ";", "10,000", "v"]),
    ],
)
def test_words_come_apart_where_a_reader_would_part_them(text: str, expected: list[str]) -> None:
    assert [word.lower for word in words_of(text)] == expected


@given(st.text())
def test_every_word_stands_where_it_says(text: str) -> None:
    end = 0
    for word in words_of(text):
        assert end <= word.start < word.end <= len(text)
        assert text[word.start : word.end].lower() == word.lower
        end = word.end


@pytest.mark.parametrize("word", ["sensor", "body", "switch", "valve"])
def test_the_regular_plural_leads_back(word: str) -> None:
    assert lemma(plural_of(word)) == word


@pytest.mark.parametrize(
    "family",
    [
        ("rotate", "rotates", "rotating", "rotation", "rotatable"),
        ("detect", "detected", "detection", "detector"),
        ("move", "moving", "movement", "movable"),
        ("measure", "measured", "measuring", "measurement"),
        ("heat", "heating", "heated", "heater"),
        ("locate", "located", "location"),
        ("receive", "received", "receiver"),
        ("conduct", "conductive", "conductor"),
    ],
)
def test_words_made_of_one_verb_share_a_root(family: tuple[str, ...]) -> None:
    assert len({root(word) for word in family}) == 1


@pytest.mark.parametrize(("one", "other"), [("valve", "value"), ("heat", "treat"), ("spring", "sprocket")])
def test_other_words_do_not(one: str, other: str) -> None:
    assert root(one) != root(other)


@pytest.mark.parametrize(
    ("word", "is_one"),
    [("thickest", True), ("lowermost", True), ("outermost", True), ("request", False), ("test", False)],
)
def test_a_superlative_ends_in_est_or_most(word: str, is_one: bool) -> None:
    assert is_superlative(word) is is_one


def test_a_text_is_read_once_until_many_characters_have_been_read() -> None:
    read: list[tuple[str, int]] = []
    kept = kept_by_text(lambda text, number: read.append((text, number)))
    # Given a set as large as any that is checked, in short claims, when it is read twice
    claims = [(f"{number} is a claim.".ljust(200), number) for number in range(KEPT_CHARACTERS // 400)]
    for text, number in claims * 2:
        kept(text, number)
    # Then each text is read once for each of its numbers
    assert read == claims
    kept(claims[0][0], 5)
    assert read[-1] == (claims[0][0], 5)
    # And when as many characters again have been read, then the first text is not kept any longer
    kept("x" * (KEPT_CHARACTERS // 2), 1)
    kept(*claims[0])
    assert read[-1] == claims[0]


def test_many_short_texts_are_not_kept_for_ever() -> None:
    read: list[str] = []
    kept = kept_by_text(read.append)
    for number in range(KEPT_CHARACTERS // 10):
        kept(f"{number}")
    kept("0")
    assert read[-1] == "0"


@pytest.mark.parametrize("word", ["10^4", "10^-3", "10^−3", "r^1", "cm^2", "ca^2"])
def test_a_power_or_upper_index_belongs_to_its_word(word: str) -> None:
    assert [each.lower for each in words_of(f"a {word} b")] == ["a", word, "b"]
