"""Rules and encoder joined: either may speak for a defect, neither against what the other knows."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ace.claims.taxonomy import LABELS, ErrorClass
from ace.routing.boosted import Boosted
from ace.routing.calibration import Calibration
from ace.routing.fusion import EVIDENCE, FLOOR, Fusion
from ace.routing.score import p_inv, softmax
from ace.routing.scores import FACTS

FUSION = Fusion(0.5, dict.fromkeys(ErrorClass, 1.2), 0.4, dict.fromkeys(ErrorClass, -3.0))
SILENT = np.zeros((1, len(FACTS)))


def raw(**margins: float) -> np.ndarray:
    """The encoder's logits: 0 for pass, and a margin for some classes, far below otherwise."""
    return np.array([[0.0, *(margins.get(each.value, -9.0) for each in ErrorClass)]])


def found(confidence: float, error_class: ErrorClass, *, note: bool = False) -> np.ndarray:
    """The facts of a claim with one finding."""
    facts = SILENT.copy()
    facts[0, FACTS.index(f"{'notes' if note else 'rules'}_{error_class}")] = confidence
    return facts


def chance(logits: np.ndarray, facts: np.ndarray) -> float:
    return float(p_inv(softmax(FUSION.logits(logits, facts)))[0])


def test_a_sure_rule_stands_however_sound_the_encoder_finds_the_claim() -> None:
    sure = found(0.95, ErrorClass.SYNTAX)
    doubting, certain = raw(syntax=FLOOR), raw(syntax=-20.0)
    assert chance(doubting, sure) > chance(certain, sure) > 0.5
    assert LABELS[int(FUSION.logits(certain, sure).argmax())] == "syntax"


def test_a_sure_encoder_stands_where_the_rules_are_silent() -> None:
    assert chance(raw(logical=6.0), SILENT) > 0.5 > chance(raw(logical=-1.0), SILENT)


@pytest.mark.parametrize("note", [False, True])
def test_more_confidence_never_makes_a_defect_less_likely(note: bool) -> None:
    rising = [
        chance(raw(), found(each, ErrorClass.AMBIGUITY, note=note)) for each in (0.0, 0.1, 0.4, 0.8, 0.97)
    ]
    assert rising == sorted(rising)
    assert rising[-1] > rising[0]
    assert chance(raw(), found(1.0, ErrorClass.AMBIGUITY, note=note)) == rising[-1]  # not without bound


def test_a_record_keeps_its_fusion_and_is_another_without_it(tmp_path: Path) -> None:
    plain = Calibration("", "by hand", "u", 0.3, 0.2, 1.0, "rev", "hash", 1, ()).sealed()
    record = replace(plain, fusion=FUSION).sealed()
    record.save(tmp_path / "calibration.json")
    assert Calibration.load(tmp_path / "calibration.json") == record
    assert record.id != plain.id


@pytest.mark.parametrize("part", ["rules", "bias"])
def test_each_class_needs_its_weight(part: str) -> None:
    with pytest.raises(ValueError, match="each class"):
        replace(FUSION, **{part: {ErrorClass.SYNTAX: 1.0}})


def test_trees_say_whether_there_is_a_defect_and_the_pool_says_which() -> None:
    asked = (EVIDENCE.index("likeliest_finding"),)
    trees = Boosted(-1.0, (asked,), ((0.0,),), ((-1.0, 3.0),))
    joined = replace(FUSION, defect=trees)
    for facts, odds in ((SILENT, -2.0), (found(0.8, ErrorClass.LOGICAL), 2.0)):
        pool, both = FUSION.logits(raw(syntax=1.0), facts), joined.logits(raw(syntax=1.0), facts)
        assert float(p_inv(softmax(both))[0]) == pytest.approx(1 / (1 + np.exp(-odds)))
        assert both[0, 1:] - both[0, 1] == pytest.approx(pool[0, 1:] - pool[0, 1])


def test_trees_see_how_long_a_claim_is() -> None:
    asked = (EVIDENCE.index("log_characters"),)
    joined = replace(FUSION, defect=Boosted(0.0, (asked,), ((5.0,),), ((-1.0, 3.0),)))
    long = SILENT.copy()
    long[0, FACTS.index("log_characters")] = 7.0
    odds = [p_inv(softmax(joined.logits(raw(), facts)))[0] for facts in (SILENT, long)]
    assert odds == pytest.approx([1 / (1 + np.exp(1)), 1 / (1 + np.exp(-3))])


def test_no_trees_speak_for_logits_that_are_no_numbers() -> None:
    joined = replace(FUSION, defect=Boosted(-1.0, ((0,),), ((0.0,),), ((-1.0, 3.0),)))
    assert np.isnan(joined.logits(np.full((1, 6), np.nan), SILENT)[0, 1:]).all()


def test_trees_that_ask_for_other_evidence_are_refused() -> None:
    with pytest.raises(ValueError, match="features: margin_1"):
        replace(FUSION, defect=Boosted(0.0, ((len(EVIDENCE),),), ((0.0,),), ((0.0, 1.0),)))
