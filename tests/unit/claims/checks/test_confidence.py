"""A confidence is a probability, follows the weights, and every rule has one."""

import math
from typing import Any

import pytest

from ace.claims.checks import RULES
from ace.claims.checks.confidence import DEFAULT_THRESHOLD, FITTED, confidence
from ace.claims.findings import Flaw
from ace.claims.rules import Rule
from ace.claims.taxonomy import ErrorClass

WEIGHTS: dict[str, dict[str, Any]] = FITTED["rules"]


def rule(error_class: ErrorClass, subtype: str) -> Rule:
    return Rule(error_class, subtype, "", "", "", None, None, brief="")


def flaw(of: Rule, *signals: str) -> Flaw:
    return Flaw(of, 0, 1, "", signals=signals)


UNKNOWN = rule(ErrorClass.LOGICAL, "of_no_table")


def test_every_rule_has_a_weight_and_no_weight_is_left_of_a_rule_that_is_gone() -> None:
    assert set(WEIGHTS) == {each.id for each in RULES}, "run python -m ace_lab.calibration.confidence again"


def test_a_confidence_is_a_probability_whatever_the_signals() -> None:
    for each in RULES:
        known = list(WEIGHTS[each.id]["signals"])
        for signals in ((), *((one,) for one in known), tuple(known)):
            assert 0.0 <= confidence(flaw(each, *signals)) <= 1.0, (each.id, signals)


def test_a_signal_moves_the_confidence_the_way_its_weight_points(monkeypatch: pytest.MonkeyPatch) -> None:
    # Given weights of our own
    weights = {"weight": 1.0, "signals": {"raises": 0.5, "lowers": -2.0}}
    monkeypatch.setitem(WEIGHTS, UNKNOWN.id, weights)

    # When flaws have none, one or both of the signals
    bare, raised = confidence(flaw(UNKNOWN)), confidence(flaw(UNKNOWN, "raises"))
    lowered, both = confidence(flaw(UNKNOWN, "lowers")), confidence(flaw(UNKNOWN, "lowers", "raises"))

    # Then the weights add up in log-odds
    assert lowered < both < bare < raised
    assert both == pytest.approx(1 / (1 + math.exp(0.5)))


def test_a_signal_counts_once_and_only_for_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    other = rule(ErrorClass.SYNTAX, "of_no_table")
    monkeypatch.setitem(WEIGHTS, other.id, {"weight": 0.0, "signals": {"raises": 3.0}})
    assert confidence(flaw(UNKNOWN, "raises")) == confidence(flaw(UNKNOWN))
    assert confidence(flaw(other, "raises", "raises")) == confidence(flaw(other, "raises"))
    assert confidence(flaw(other, "raises")) > confidence(flaw(other))


def test_a_rule_that_the_fit_never_saw_has_even_odds() -> None:
    assert confidence(flaw(UNKNOWN, "of_no_table")) == 0.5


def test_the_threshold_keeps_the_precision_that_it_was_chosen_for() -> None:
    assert 0.0 < DEFAULT_THRESHOLD < 1.0
    assert FITTED["precision_at_least"] >= 0.75
    assert FITTED["claims"]["train"] > 10_000, "fitted on a sample"
