"""What an examiner would write: a phrase for every rule, filled in, with the paragraph that it comes from."""

from dataclasses import replace

import pytest

from ace.claims.checks import RULES
from ace.claims.readers import read_text
from ace.claims.reports.examiner_words import BY_CLASS, BY_RULE, examiner_words, phrase_of
from ace.claims.reports.report import checked
from ace.claims.rules import Jurisdiction
from ace.claims.taxonomy import ErrorClass, Ground


def test_every_class_has_a_phrase_and_every_phrase_a_rule_and_a_source() -> None:
    assert BY_CLASS.keys() == set(ErrorClass)
    assert BY_RULE.keys() <= {rule.id for rule in RULES}
    for phrase in (*BY_CLASS.values(), *BY_RULE.values()):
        assert phrase.source.startswith(("form paragraph ", "MPEP ", "35 U.S.C. "))


def test_the_example_of_a_rule_is_put_into_an_examiner_s_words(subtests: pytest.Subtests) -> None:
    for rule in RULES:
        if rule.us is not None:
            with subtests.test(rule.id):
                report = checked(read_text(rule.example, partial=True), threshold=0.0)
                found = next(each for each in report.findings if each.rule_id == rule.id)
                words = examiner_words(found)
                assert words is not None
                assert words.endswith(".")
                assert "{" not in words
                assert "informality" not in words or found.ground is Ground.OBJECTION


def test_the_words_for_a_missing_antecedent_are_those_of_the_form_paragraph() -> None:
    text = "1. A pump comprising a housing, wherein\nthe  large impeller is hollow."
    (found,) = checked(read_text(text)).findings
    assert examiner_words(found) == (
        "Claim 1 recites the limitation “the large impeller”. There is insufficient antecedent basis for this"
        " limitation in the claim."
    )
    assert phrase_of("antecedent.of_tomorrow", ErrorClass.ANTECEDENT).source == "form paragraph 7.34.05"


def test_there_are_none_under_the_epc_or_after_a_purge() -> None:
    text = "1. A pump comprising a housing, wherein the impeller is hollow."
    (found,) = checked(read_text(text), jurisdiction=Jurisdiction.EPC).findings
    assert examiner_words(found) is None
    (found,) = checked(read_text(text)).findings
    assert examiner_words(replace(found, explanation="", quote="")) is None
