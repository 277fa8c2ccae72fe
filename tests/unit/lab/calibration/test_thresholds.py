"""Policies on rows whose best threshold is known by hand."""

import numpy as np
import pytest

from ace_lab.calibration.guarantee import RoutingRows
from ace_lab.calibration.thresholds import (
    NEVER,
    FLambda,
    Gain,
    MoneyBudget,
    Pays,
    Policy,
    Quantile,
    RateBudget,
    Risk,
    retained_f1,
)

# Ten claims in the order of doubt: the last three calls are wrong, a miss among them.
DOUBT = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
CALLED = np.array([1, 0, 1, 0, 1, 0, 1, 1, 0, 1], dtype=bool)
INVALID = np.array([1, 0, 1, 0, 1, 0, 1, 0, 1, 0], dtype=bool)
TEN = RoutingRows(DOUBT, CALLED, INVALID, np.arange(10))


@pytest.mark.parametrize(
    ("policy", "tau"),
    [
        (Quantile(0.2), 0.8),
        (Quantile(0.0), 1.0),
        (MoneyBudget(1_000, usd_per_call=0.002), 0.5),  # $1,000 pay for 500,000 of a million calls
        (MoneyBudget(1_000, usd_per_call=0.002, usd_per_million_screened=400), 0.7),  # and $600 for 30 %
        (RateBudget(calls_per_hour=25, claims_per_hour=100), 0.8),  # a quarter: two of ten
        (FLambda(0.0), 0.7),  # without a price, no error is kept; nor is more escalated than that needs
        (FLambda(0.4), 0.7),  # 1 - 0.4 * 0.3 = 0.88 is better than 2 * 4 / 11 = 0.73 at gamma 0
        (FLambda(2.0), 1.0),  # too dear
        (Gain(value=2.0, usd_per_call=0.5), 0.25),
    ],
)
def test_tau_of_known_rows(policy: Policy, tau: float) -> None:
    found = policy.find(TEN, TEN)
    assert found.tau == pytest.approx(tau)
    assert found.promise.endswith(".")


def with_expert(expert_wrong: np.ndarray, families: np.ndarray) -> RoutingRows:
    """Ten claims, a hundred times; the gains of the last five are above 0."""
    doubt, called, invalid = (np.tile(each, 100) for each in (DOUBT - 0.55, CALLED, INVALID))
    return RoutingRows(doubt, called, invalid, families, np.tile(expert_wrong, 100))


def test_an_expert_that_helps_is_asked_and_one_that_does_not_is_not() -> None:
    apart, together = np.arange(1_000), np.zeros(1_000)
    good = Pays().find(with_expert(np.zeros(10, dtype=bool), apart), TEN)
    assert good.tau == 0
    assert good.parameters["gatekeeper_wrong"] == 0.3
    assert good.parameters["together_wrong"] == 0
    assert "50.0 % of claims like these 1000. That corrects 30.0 %" in good.promise

    noise = with_expert(np.array([0, 0, 0, 0, 0, 1, 1, 0, 1, 1], dtype=bool), apart)  # spoils two, mends one
    found = Pays().find(noise, TEN)
    assert found.tau == NEVER
    assert found.parameters["together_wrong"] == 0.4
    assert "is not asked" in found.promise

    # One claim mended in a hundred, all in one family: that may be chance.
    rare = np.ones(1_000, dtype=bool)
    rare[-10:] = False
    rows = with_expert(np.ones(10, dtype=bool), together)
    lucky = RoutingRows(np.where(rare, -1, 1.0), rows.called, rows.invalid, apart // 10, rare)
    assert Pays().find(lucky, TEN).tau == NEVER


def test_pays_needs_the_opinions_of_an_expert() -> None:
    with pytest.raises(ValueError, match="opinions of an expert"):
        Pays().find(TEN, TEN)


def test_parameters_are_told_as_they_were_given() -> None:
    assert FLambda(0.4).find(TEN, TEN).parameters == {"lambda": 0.4}
    assert Quantile(0.2).find(TEN, TEN).parameters == {"escalation": 0.2}


def test_promises_say_what_they_are_worth() -> None:
    many = RoutingRows(np.tile(DOUBT, 100), np.tile(CALLED, 100), np.tile(INVALID, 100), np.arange(1000))
    risk = Risk(0.05, delta=0.1).find(many, many)
    assert risk.tau == 0.7
    assert "With confidence 90.0 %, at most 5.0 %" in risk.promise
    assert "nothing is promised for others" in risk.promise
    assert {"alpha", "delta", "error", "bound", "kept", "errors", "design_effect"} == set(risk.parameters)
    assert "passes are defective" in Risk(0.05, 0.1, "false-pass").find(many, many).promise
    assert "nothing is promised about errors" in Quantile().find(TEN, TEN).promise
    assert "no guarantee" in FLambda(0.1).find(TEN, TEN).promise
    assert "$1,000" in MoneyBudget(1_000, usd_per_call=0.002).find(TEN, TEN).promise


def test_f1_of_what_is_kept_takes_ties_together() -> None:
    rows = RoutingRows(np.array([0.1, 0.5, 0.5, 0.5]), CALLED[-4:], INVALID[-4:], np.arange(4))
    tau, gamma, f1 = retained_f1(rows)
    assert tau.tolist() == [0.1, 0.5]
    assert gamma.tolist() == [0.75, 0.0]
    assert f1.tolist() == pytest.approx([1.0, 2 / 5])


def test_nothing_defective_has_no_f1() -> None:
    nothing = np.zeros(10, dtype=bool)
    assert retained_f1(RoutingRows(DOUBT, nothing, nothing, np.arange(10)))[2].max() == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Quantile(1.0).find(TEN, TEN), "escalation must be"),
        (lambda: MoneyBudget(9_000, 0.002).find(TEN, TEN), "pays for examining every claim"),
        (lambda: RateBudget(100, 100).find(TEN, TEN), "pays for examining every claim"),
        (lambda: MoneyBudget(10, 0.002, 20).find(TEN, TEN), "usd_per_million 10 does not pay"),
        (lambda: MoneyBudget(10, 0.0), "usd_per_call must be a positive number"),
        (lambda: RateBudget(-1, 100), "calls_per_hour must be"),
        (lambda: Gain(0, 1), "value must be"),
        (lambda: Risk(0.0), "alpha must lie between"),
        (lambda: Risk(0.1, 1.0), "delta must lie between"),
        (lambda: Risk(0.001).find(TEN, TEN), "lowest alpha that could be promised"),
    ],
)
def test_refusals_name_the_parameter(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()  # type: ignore[operator]
