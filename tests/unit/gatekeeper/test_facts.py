"""What is known of a claim besides its text, as numbers."""

from dataclasses import replace
from math import log1p

import numpy as np

from ace.claims.analysis import AnalysedClaim, ClaimAnalysis, analyse, analysis_of, is_on_set
from ace.claims.chains import kept_set
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.gatekeeper.facts import claim_facts, rule_confidences
from ace.routing.scores import FACTS

ROOT = "1. A lamp comprising a housing and a lens."
SOUND = ClaimInput(2, "The lamp of claim 1, wherein the lens is made of glass.", (ROOT,))
BARE = ClaimInput(2, "The lamp of claim 1, wherein the turbine blade is made of glass.", (ROOT,))
BROKEN = ClaimInput(2, "The lamp of claim 1, wherein the turbine blade is red.", ("no number. A lamp.",))


def test_the_likeliest_finding_of_each_class_counts() -> None:
    found = rule_confidences([SOUND, BARE])
    (finding,) = [each for each in analysis_of(BARE).findings if each.quote == "the turbine blade"]
    assert found.shape == (2, 2, 5)
    assert not found[0].any()
    assert found[1, 0].tolist() == [finding.confidence, 0, 0, 0, 0]


def test_the_analysis_that_a_claim_carries_is_read() -> None:
    (finding,) = analysis_of(BARE).findings
    likelier = ClaimAnalysis(
        findings=(finding, replace(finding, confidence=0.98), replace(finding, confidence=0.3))
    )
    assert rule_confidences([AnalysedClaim.of(SOUND, likelier)])[0, 0, 0] == 0.98


def test_what_only_the_set_shows_counts_too() -> None:
    texts = {
        1: ROOT.removeprefix("1. "),
        2: SOUND.text,
        4: SOUND.text,
    }
    claims = kept_set(texts.items())
    last = AnalysedClaim.of(claims.input_of(4), analyse(claims)[4])
    assert any(is_on_set(each) for each in last.analysis.findings)
    assert rule_confidences([last])[0, :, list(ErrorClass).index(ErrorClass.DEPENDENCY)].any()


def test_a_claim_that_cannot_be_analysed_has_no_confidences() -> None:
    failed = AnalysedClaim.of(BARE, ClaimAnalysis(failure="ValueError"))
    assert not rule_confidences([BROKEN, failed]).any()


def test_facts_have_names_and_count_what_they_say() -> None:
    found = dict(zip(FACTS, claim_facts([BARE])[0], strict=True))
    assert found["log_characters"] == log1p(len(BARE.text))
    assert (found["commas"], found["semicolons"], found["ancestors"]) == (1, 0, 1)
    assert (found["exact_phrases"], found["inexact_phrases"], found["unresolved_phrases"]) == (1, 0, 1)
    assert found["rules_antecedent"] == analysis_of(BARE).findings[0].confidence
    assert not any(found[f"notes_{each}"] for each in ErrorClass)


def test_there_are_facts_of_a_claim_that_cannot_be_analysed_and_none_of_no_claims() -> None:
    found = claim_facts([BROKEN])
    assert found.shape == (1, len(FACTS))
    assert np.isfinite(found).all()
    assert claim_facts([]).shape == (0, len(FACTS))
