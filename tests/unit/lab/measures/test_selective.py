"""Areas of curves worked out by hand, and intervals that know families."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr
from sklearn.metrics import brier_score_loss, log_loss

from ace_lab.measures.metrics import auc
from ace_lab.measures.selective import (
    augrc,
    aurc,
    bootstrap,
    brier,
    compare,
    deferral_error,
    e_aurc,
    equal_mass_ece,
    nll,
    risk_coverage,
    spearman,
)

CASES = [
    # wrong, in the order of doubt; AURC = mean of k-prefix risks; its optimum; AUGRC by trapezoids
    ([0, 0, 0, 1], (1 / 4) / 4, (1 / 4) / 4, (1 / 4) / 2 / 4),
    ([1, 0, 0, 0], (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4, (1 / 4) / 4, (1 / 8 + 3 / 4) / 4),
    ([0, 1, 0, 1], (1 / 2 + 1 / 3 + 2 / 4) / 4, (1 / 3 + 2 / 4) / 4, (1 / 8 + 1 / 4 + 3 / 8) / 4),
    ([0, 0, 0, 0], 0.0, 0.0, 0.0),
    ([1, 1, 1, 1], 1.0, 1.0, 0.5),
]


@pytest.mark.parametrize(("wrong", "area", "best", "generalised"), CASES)
def test_areas_by_hand(wrong: list[int], area: float, best: float, generalised: float) -> None:
    doubt, errors = np.arange(4) / 10, np.array(wrong, dtype=bool)
    assert aurc(doubt, errors) == pytest.approx(area)
    assert e_aurc(doubt, errors) == pytest.approx(area - best)
    assert augrc(doubt, errors) == pytest.approx(generalised)
    # The order of the file does not matter,
    assert aurc(doubt[::-1], errors[::-1]) == pytest.approx(area)
    # nor any other scale of doubt.
    assert augrc(np.exp(9 * doubt), errors) == pytest.approx(generalised)


def test_rows_of_equal_doubt_share_their_errors() -> None:
    coverage, risk = risk_coverage(np.array([0.0, 5, 5, 5]), np.array([0, 1, 0, 0], dtype=bool))
    assert coverage.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert risk == pytest.approx([0, (1 / 3) / 2, (2 / 3) / 3, 1 / 4])


@given(arrays(np.int64, 40, elements=st.integers(0, 9)), arrays(np.bool_, 40))
def test_augrc_is_what_its_authors_derive(doubt: np.ndarray, wrong: np.ndarray) -> None:
    # Traub et al. 2024, eq. 7: (1 - AUROC of doubt for errors) acc (1 - acc) + (1 - acc)² / 2.
    rate = wrong.mean()
    if 0 < rate < 1:
        expected = (1 - auc(doubt, wrong)) * rate * (1 - rate) + rate**2 / 2
        assert augrc(doubt, wrong) == pytest.approx(expected)


@given(arrays(np.float64, 30, elements=st.floats(0, 1)), arrays(np.bool_, 30))
def test_no_score_is_better_than_the_best(doubt: np.ndarray, wrong: np.ndarray) -> None:
    assert e_aurc(doubt, wrong) >= -1e-12


def test_no_rows_no_curve() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        aurc(np.zeros(0), np.zeros(0, dtype=bool))


@pytest.mark.parametrize(
    ("expert", "expected"),
    [
        ([0, 0, 0, 0], (1 / 4) / 2 / 4),  # an expert that is never wrong: AUGRC
        ([1, 1, 1, 1], 1 - 0.5 + (1 / 4) / 2 / 4),  # always wrong: and each share that it is asked
        ([0, 0, 0, 1], 1 / 4),  # wrong where the gatekeeper is: nothing is won anywhere
    ],
)
def test_deferral_error_by_hand(expert: list[int], expected: float) -> None:
    doubt, wrong = np.arange(4.0), np.array([0, 0, 0, 1], dtype=bool)
    assert deferral_error(doubt, wrong, np.array(expert, dtype=bool)) == pytest.approx(expected)


def test_equal_mass_bins_hold_as_many_rows_each() -> None:
    probability = np.array([0.01, 0.02, 0.03, 0.9])
    truth = np.array([0, 0, 1, 1], dtype=bool)
    assert equal_mass_ece(probability, truth, bins=2) == pytest.approx((0.015 + (1 - 0.465)) / 2)
    assert equal_mass_ece(probability, truth, bins=9) == pytest.approx((0.01 + 0.02 + 0.97 + 0.1) / 4)


def test_brier_and_likelihood_are_scikit_learns() -> None:
    rng = np.random.default_rng(2)
    p, labels = rng.dirichlet(np.ones(6), 200), rng.integers(0, 6, 200)
    assert nll(p, labels) == pytest.approx(log_loss(labels, p))
    assert brier(p[:, 0], labels == 0) == pytest.approx(brier_score_loss(labels == 0, p[:, 0]))
    assert nll(np.array([[1.0, 0, 0, 0, 0, 0]]), np.array([1])) < 30  # bounded


def test_rank_correlation_is_scipys() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 9, 80), rng.normal(size=80)
    assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic)
    assert math.isnan(spearman(np.ones(4), np.arange(4.0)))


def test_families_are_drawn_whole() -> None:
    # 40 families of ten equal rows are worth 40 rows, not 400.
    values = np.repeat(np.random.default_rng(5).normal(size=40), 10)
    families = np.repeat([f"US{one}" for one in range(40)], 10)
    by_family = bootstrap(np.mean, families, values)
    by_row = bootstrap(np.mean, np.arange(400), values)
    expected = 2 * 1.96 * values[::10].std() / np.sqrt(40)
    assert by_family.high - by_family.low == pytest.approx(expected, rel=0.15)
    assert by_row.high - by_row.low < 0.5 * expected
    assert by_family.value == pytest.approx(values.mean())
    assert bootstrap(np.mean, families, values) == by_family  # and the seed decides
    assert bootstrap(np.mean, families, values, seed=1) != by_family


def test_a_draw_without_a_number_is_left_out() -> None:
    def rate(truth: np.ndarray) -> float:
        return float(truth.mean()) if truth.any() else math.nan

    found = bootstrap(rate, np.arange(3), np.array([1, 0, 0]))
    assert found.low == pytest.approx(1 / 3)
    nothing = bootstrap(rate, np.arange(3), np.zeros(3))
    assert math.isnan(nothing.low)


def test_the_better_score_is_told_from_the_reference_by_pairs() -> None:
    rng = np.random.default_rng(7)
    truth = rng.random(800)
    wrong = rng.random(800) < truth
    doubts = {"u": truth + rng.normal(0, 0.3, 800), "h6": truth, "noise": rng.random(800)}
    found = compare(
        doubts,
        wrong,
        rng.integers(0, 100, 800),
        reference="u",
        confidence=doubts["u"],
        expert_wrong=np.zeros(800, dtype=bool),
        draws=100,
    )
    assert found["h6"].augrc_less_reference.high < 0 < found["noise"].augrc_less_reference.low
    assert (found["u"].augrc_less_reference.value, found["u"].spearman) == (0.0, pytest.approx(1.0))
    assert found["h6"].deferral is not None
    assert found["h6"].deferral.value == pytest.approx(found["h6"].augrc.value)
