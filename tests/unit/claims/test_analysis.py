"""The analysis of a set: what each claim refers to and rests on, and that it survives storage."""

import json
import math
from dataclasses import replace

import pytest

from ace.claims.analysis import (
    AnalysedClaim,
    ClaimAnalysis,
    Place,
    ResolvedPhrase,
    analyse,
    analysis_of,
    as_json,
    from_json,
    is_on_set,
)
from ace.claims.chains import BrokenChain, kept_set
from ace.claims.model import CHAIN_CUT, ClaimInput
from ace.claims.readers import read_text
from ace.claims.references.graph import Basis
from ace.claims.rules import Severity
from ace.local.samples import load

TEXTS = [
    "A pump comprising a valve.",
    "The pump of claim 1, wherein the valve is red.",
    "The pump of claims 2 or 9, wherein a seal of the lever is flat",
]
CLAIMS = kept_set(enumerate(TEXTS, 1))


def rounded(analysis: ClaimAnalysis) -> ClaimAnalysis:
    found = tuple(replace(each, confidence=round(each.confidence, 4)) for each in analysis.findings)
    return replace(analysis, findings=found)


def test_it_says_what_a_claim_refers_to_rests_on_and_lacks() -> None:
    first, second, third = analyse(CLAIMS).values()

    assert first == ClaimAnalysis()
    start = TEXTS[1].index("the valve")
    valve = TEXTS[0].index("a valve")
    source = Place(1, valve, valve + len("a valve"))
    assert ResolvedPhrase(start, start + len("the valve"), Basis.INHERITED, source, (2, 1)) in second.phrases
    assert third.missing == (9,)
    lever = next(each for each in third.phrases if TEXTS[2][each.start : each.end] == "the lever")
    assert (lever.basis, lever.source, lever.path) == (Basis.NONE, None, ())
    assert {each.rule_id for each in third.findings} >= {"dependency.nonexistent", "syntax.no_period"}


def test_it_survives_storage_without_the_words_of_the_claims() -> None:
    for claims in [CLAIMS, *(read_text(sample.text) for sample in load())]:
        for number, analysis in analyse(claims).items():
            stored = json.dumps(as_json(analysis))
            assert from_json(json.loads(stored), number, claims[number].text) == rounded(analysis)
            assert "quote" not in stored
    broken = ClaimAnalysis(failure="KeyError at rules.py:3")
    assert from_json(as_json(broken), 1, "") == broken
    assert as_json(ClaimAnalysis()) == {}


def test_findings_are_reported_from_a_threshold_and_certain_if_they_fail_the_claim() -> None:
    third = analyse(CLAIMS)[3]
    period, claim_9 = (
        next(each for each in third.findings if each.rule_id == rule)
        for rule in ("syntax.no_period", "dependency.nonexistent")
    )
    assert period.confidence < claim_9.confidence
    assert third.reported(claim_9.confidence) == (claim_9,)
    assert third.certain(period.confidence) == [claim_9, period]
    assert third.sure == claim_9.confidence

    remark = replace(claim_9, severity=Severity.NOTE)
    assert ClaimAnalysis(findings=(remark,)).certain(0.0) == []
    assert ClaimAnalysis(findings=(remark,)).sure == 0
    assert ClaimAnalysis(findings=(replace(claim_9, confidence=0.01),)).sure == 0
    assert math.isnan(ClaimAnalysis(failure="x").sure)


def test_a_claim_carries_its_analysis_or_is_read_with_its_chain() -> None:
    given = CLAIMS.input_of(2)
    of_set = analyse(CLAIMS)[2]
    assert analysis_of(given) == of_set
    other = ClaimAnalysis(missing=(7,))
    carried = AnalysedClaim.of(given, other)
    assert analysis_of(carried) is other
    with pytest.raises(BrokenChain):
        analysis_of(ClaimInput(2, TEXTS[1], ("no number",)))


def test_what_concerns_the_set_or_what_was_cut_off_is_not_said_of_a_chain() -> None:
    twins = kept_set(enumerate([TEXTS[0], TEXTS[1], TEXTS[1]], 1))
    (twin,) = (each for each in analyse(twins)[3].findings if is_on_set(each))
    assert twin.rule_id == "dependency.duplicate_claim"
    assert analysis_of(twins.input_of(3)).findings == ()

    cut = ClaimInput(3, TEXTS[2], (f"2. {TEXTS[1]}", CHAIN_CUT))
    assert [each.rule_id for each in analysis_of(cut).findings] == ["syntax.no_period"]
