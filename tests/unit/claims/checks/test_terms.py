"""The words of ambiguity: data that must be fit to scan for."""

import re

import pytest

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.checks.ambiguity.scan import TRIGGER, lowered
from ace.claims.checks.ambiguity.terms import MEASURABLE, NEVER_ALONE, OPPOSITES, TERMS, Use


def test_every_term_belongs_to_a_rule_and_says_why() -> None:
    for words, term in TERMS.items():
        assert term.subtype in RULE, words
        assert term.why, words
        assert not term.why.endswith("."), words


def test_terms_are_lower_case_with_single_spaces() -> None:
    for words in TERMS:
        assert words == " ".join(words.lower().split())


def test_the_scan_finds_every_term_whole() -> None:
    # given each term between other words, and with its spaces spread over lines
    # then nothing shorter is found in its place
    missed = [
        (written, found and found.group())
        for words in TERMS
        for written in (words, words.replace(" ", "\n"))
        if (found := TRIGGER.search(f"xx {written} xx")) is None or found.group() != written
    ]
    assert missed == []


@pytest.mark.parametrize("text", ["a low-pass filter", "thickness", "a non-good", "etcetera-x", "goods"])
def test_parts_of_words_are_no_terms(text: str) -> None:
    assert TRIGGER.search(text) is None


def test_words_of_degree_have_opposites_and_measures_are_nouns() -> None:
    assert {TERMS[word].use for word in OPPOSITES if word not in NEVER_ALONE} == {Use.DEGREE}
    assert MEASURABLE.isdisjoint(OPPOSITES)


@pytest.mark.parametrize("text", ["İSTANBUL such as", "ß", "ﬀ Such As", "A Very THIN", ""])
def test_lowering_keeps_every_character_at_its_place(text: str) -> None:
    lower = lowered(text)
    assert len(lower) == len(text)
    assert [m.start() for m in re.finditer("such as", lower)] == [
        m.start() for m in re.finditer("such as", text, re.IGNORECASE)
    ]
