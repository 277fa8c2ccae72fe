"""The wordings of language/tables/wordings.toml: each group finds its defect, and nothing in its twin."""

from typing import Any

import pytest

from ace.claims.checks.syntax.patterns import Patterns
from ace.claims.checks.syntax.wordings import FEATURES, wordings
from ace.claims.language.tables import table
from ace.claims.language.words import split_words

GROUPS: list[dict[str, Any]] = table("wordings")["wordings"]


def test_each_group_finds_its_defect_and_nothing_in_its_twin(subtests: pytest.Subtests) -> None:
    for group in GROUPS:
        with subtests.test(group["defect"]):
            found = list(wordings(group["defect"]))
            assert [flaw.signals for flaw in found] == [(group["signal"],)]
            assert found[0].explanation == group["why"].format(
                quote=group["defect"][found[0].start : found[0].end]
            )
            assert not list(wordings(group["twin"]))


def test_a_fix_makes_the_twin_of_a_lost_word() -> None:
    for group in GROUPS:
        if "insert" in group:
            (flaw,) = wordings(group["defect"])
            assert flaw.fix is not None
            before, after = group["defect"][: flaw.fix.start], group["defect"][flaw.fix.end :]
            assert before + flaw.fix.replacement + after == group["twin"]


def found(line: str, text: str) -> str | None:
    """What a pattern quotes in a text."""
    patterns, words = Patterns([line], FEATURES, {"articles": frozenset({"a", "the"})}), split_words(text)
    for match in patterns.matches([word.lower for word in words]):
        return text[words[match.first].start : words[match.last - 1].end]
    return None


def test_elements_are_words_lists_features_and_their_denial() -> None:
    assert found("< %articles of|to >", "stop the of it") == "the of"
    assert found("!not < into > %noun", "not into water, but into wine") == "into"
    assert found("< into > !%noun", "into wine") is None


def test_elements_may_be_left_out_or_stand_several_times() -> None:
    assert found("< into %ly? wine >", "put into really wine") == "into really wine"
    assert found("< into %noun+ is >", "put into red wine is") == "into red wine is"
    assert found("< into %noun* . >", "put into .") == "into ."


def test_nothing_is_quoted_past_the_end_of_the_text() -> None:
    assert found("< into !of >", "put into") is None


def test_a_row_with_more_elements_comes_first() -> None:
    patterns = Patterns(["< into %ly* >"], FEATURES, {})
    first, *others = sorted(patterns.matches(["into", "really", "newly"]))
    assert (first.first, first.last) == (0, 3)
    assert [match.last for match in others] == [2, 1]


def test_a_pattern_that_names_no_list_and_no_feature_is_an_error() -> None:
    with pytest.raises(KeyError, match="nouns"):
        Patterns(["%nouns < %ly >"], FEATURES, {})
