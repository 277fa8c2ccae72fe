"""A confidence is a probability, follows the weights, and every rule has one."""

import math

import pytest

from ace.claims.checks import RULES
from ace.claims.checks import confidence_table as table
from ace.claims.checks.confidence import DEFAULT_THRESHOLD, confidence
from ace.claims.findings import Flaw
from ace.claims.rules import Rule
from ace.claims.taxonomy import ErrorClass


def rule(error_class: ErrorClass, subtype: str) -> Rule:
    return Rule(error_class, subtype, "", "", "", None, None, brief="")


def flaw(of: Rule, *signals: str) -> Flaw:
    return Flaw(of, 0, 1, "", signals=signals)


UNKNOWN = rule(ErrorClass.LOGICAL, "of_no_table")


def test_every_rule_has_a_weight_and_no_weight_is_left_of_a_rule_that_is_gone() -> None:
    assert set(table.RULES) == {each.id for each in RULES}, (
        "run python -m ace_lab.calibration.confidence again"
    )


def test_a_confidence_is_a_probability_whatever_the_signals() -> None:
    for each in RULES:
        known = [signal for rule_id, signal in table.SIGNALS if rule_id == each.id]
        for signals in ((), *((one,) for one in known), tuple(known)):
            assert 0.0 <= confidence(flaw(each, *signals)) <= 1.0, (each.id, signals)


def test_a_signal_moves_the_confidence_the_way_its_weight_points(monkeypatch: pytest.MonkeyPatch) -> None:
    # Given weights of our own
    monkeypatch.setitem(table.RULES, UNKNOWN.id, (1.0, 3, 1))
    monkeypatch.setitem(table.SIGNALS, (UNKNOWN.id, "raises"), 0.5)
    monkeypatch.setitem(table.SIGNALS, (UNKNOWN.id, "lowers"), -2.0)

    # When flaws have none, one or both of the signals
    bare, raised = confidence(flaw(UNKNOWN)), confidence(flaw(UNKNOWN, "raises"))
    lowered, both = confidence(flaw(UNKNOWN, "lowers")), confidence(flaw(UNKNOWN, "lowers", "raises"))

    # Then the weights add up in log-odds
    assert lowered < both < bare < raised
    assert both == pytest.approx(1 / (1 + math.exp(0.5)))


def test_a_signal_counts_once_and_only_for_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    other = rule(ErrorClass.SYNTAX, "of_no_table")
    monkeypatch.setitem(table.SIGNALS, (other.id, "raises"), 3.0)
    assert confidence(flaw(UNKNOWN, "raises")) == confidence(flaw(UNKNOWN))
    assert confidence(flaw(other, "raises", "raises")) == confidence(flaw(other, "raises"))
    assert confidence(flaw(other, "raises")) > confidence(flaw(other))


def test_a_rule_that_the_fit_never_saw_has_even_odds() -> None:
    assert confidence(flaw(UNKNOWN, "of_no_table")) == 0.5


def test_the_threshold_keeps_the_limit_that_it_was_chosen_under() -> None:
    assert 0.0 < DEFAULT_THRESHOLD < 1.0
    _, _, false_alarms = table.AT_THRESHOLD["antecedent"]
    assert false_alarms <= 1.0


def test_the_table_tells_every_class_and_where_it_is_from() -> None:
    classes = {each.value for each in ErrorClass}
    assert set(table.AT_THRESHOLD) == {"all", *classes}
    assert set(table.PREVALENCE) == classes
    assert {rule_id for rule_id, _ in table.SIGNALS} <= set(table.RULES)
    assert len(table.DATA_SHA256) == 64
    assert table.COUNTS["fit_sets"] > 100, "fitted on a sample"
