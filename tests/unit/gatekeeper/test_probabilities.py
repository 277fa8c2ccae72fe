"""What rules found, as numbers beside the logits."""

from dataclasses import replace

import numpy as np

from ace.claims.analysis import AnalysedClaim, ClaimAnalysis, analyse, analysis_of, is_on_set
from ace.claims.chains import kept_set
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.gatekeeper.probabilities import probabilities, rule_confidences
from ace.routing.calibration import Calibration
from ace.routing.fusion import Fusion
from ace.routing.score import softmax

ROOT = "1. A lamp comprising a housing and a lens."
SOUND = ClaimInput(2, "The lamp of claim 1, wherein the lens is made of glass.", (ROOT,))
BARE = ClaimInput(2, "The lamp of claim 1, wherein the turbine blade is made of glass.", (ROOT,))
BROKEN = ClaimInput(2, "The lamp of claim 1, wherein the turbine blade is red.", ("no number. A lamp.",))
PLAIN = Calibration("cal-x", "by hand", "u", 0.3, 0.2, 2.0, "rev", "hash", 1, ())
FUSION = Fusion(0.5, dict.fromkeys(ErrorClass, 1.2), 0.4, dict.fromkeys(ErrorClass, -3.0))
RAW = np.array([[2.0, 1.0, 0.0, 0.0, 0.0, -1.0]] * 2, dtype=np.float32)


def test_the_likeliest_finding_of_each_class_counts() -> None:
    found = rule_confidences([SOUND, BARE])
    (finding,) = [each for each in analysis_of(BARE).findings if each.quote == "the turbine blade"]
    assert found.shape == (2, 2, 5)
    assert not found[0].any()
    assert found[1, 0].tolist() == [finding.confidence, 0, 0, 0, 0]


def test_the_analysis_that_a_claim_carries_is_read() -> None:
    (finding,) = analysis_of(BARE).findings
    likelier = ClaimAnalysis(
        findings=(finding, replace(finding, confidence=0.95), replace(finding, confidence=0.3))
    )
    assert rule_confidences([AnalysedClaim.of(SOUND, likelier)])[0, 0, 0] == 0.95


def test_what_only_the_set_shows_counts_too() -> None:
    texts = {
        1: ROOT.removeprefix("1. "),
        2: SOUND.text,
        4: "The lamp of claim 2, further comprising a switch.",
    }
    claims = kept_set(texts.items())
    last = AnalysedClaim.of(claims.input_of(4), analyse(claims)[4])
    assert any(is_on_set(each) for each in last.analysis.findings)
    assert rule_confidences([last])[0, :, list(ErrorClass).index(ErrorClass.SYNTAX)].any()


def test_a_claim_that_cannot_be_analysed_has_no_confidences() -> None:
    failed = AnalysedClaim.of(BARE, ClaimAnalysis(failure="ValueError"))
    assert not rule_confidences([BROKEN, failed]).any()


def test_probabilities_join_the_two_at_the_records_temperature() -> None:
    alone = probabilities(RAW, [SOUND, BARE], PLAIN)
    assert np.array_equal(alone, softmax(RAW, 2.0))
    joined = probabilities(RAW, [SOUND, BARE], replace(PLAIN, fusion=FUSION))
    assert np.array_equal(joined, softmax(FUSION.logits(RAW, rule_confidences([SOUND, BARE])), 2.0))
    assert joined[1, 1] > joined[0, 1]
