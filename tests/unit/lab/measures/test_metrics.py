"""Metrics against cases worked out by hand."""

import numpy as np
import pytest

from ace_lab.measures.metrics import (
    auc,
    class_f1,
    confusion,
    expected_calibration_error,
    f1,
    macro_f1,
    reliability_bins,
    report,
    two_class,
    with_prior,
)

LABELS_OF_EIGHT = np.array([0, 0, 0, 0, 1, 1, 2, 2])
CALLED_OF_EIGHT = np.array([0, 0, 0, 1, 1, 0, 2, 1])


@pytest.mark.parametrize(
    ("scores", "truth", "expected"),
    [
        ([0.1, 0.9], [0, 1], 1.0),
        ([0.9, 0.1], [0, 1], 0.0),
        ([0.5, 0.5], [0, 1], 0.5),
        ([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1], 0.75),
        ([0.2, 0.2, 0.2, 0.9], [0, 1, 0, 1], 0.75),
    ],
)
def test_auc(scores: list[float], truth: list[int], expected: float) -> None:
    assert auc(np.array(scores), np.array(truth, bool)) == pytest.approx(expected)


def test_auc_needs_both_kinds() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        auc(np.array([0.1, 0.2]), np.array([True, True]))


@pytest.mark.parametrize(
    ("called", "truth", "expected"),
    [([1, 1, 0], [1, 0, 0], 2 / 3), ([0, 0], [0, 0], 0.0), ([1], [1], 1.0), ([0], [1], 0.0)],
)
def test_f1(called: list[int], truth: list[int], expected: float) -> None:
    assert f1(np.array(called, bool), np.array(truth, bool)) == pytest.approx(expected)


def test_a_calibrated_score_has_no_calibration_error() -> None:
    probability = np.array([0.25] * 4 + [1.0] * 2)
    truth = np.array([1, 0, 0, 0, 1, 1], bool)
    assert expected_calibration_error(probability, truth) == pytest.approx(0.0)
    assert expected_calibration_error(probability, ~truth) == pytest.approx(4 / 6 * 0.5 + 2 / 6)


def test_reliability_bins_hold_every_row_once_and_empty_ones_are_left_out() -> None:
    probability = np.array([0.0, 0.2, 0.5, 0.55, 1.0])
    truth = np.array([0, 1, 1, 0, 1], bool)
    low, middle, high = reliability_bins(probability, truth, bins=4)
    assert (low.low, low.high, low.n, low.predicted, low.observed) == (0.0, 0.25, 2, pytest.approx(0.1), 0.5)
    assert (middle.low, middle.n, middle.predicted, middle.observed) == (0.5, 2, pytest.approx(0.525), 0.5)
    assert (high.low, high.high, high.n, high.predicted, high.observed) == (0.75, 1.0, 1, 1.0, 1.0)
    assert reliability_bins(probability[:0], truth[:0]) == []


def test_report_of_four_rows() -> None:
    p = np.array(
        [
            [0.9, 0.1, 0, 0, 0, 0],  # pass, right
            [0.6, 0.4, 0, 0, 0, 0],  # antecedent, missed, in doubt
            [0.1, 0.9, 0, 0, 0, 0],  # antecedent, caught
            [0.2, 0.1, 0.7, 0, 0, 0],  # antecedent, caught as another class
        ]
    )
    found = report(p, np.array([0, 1, 1, 1]), tau=0.6)
    assert found["accuracy"] == 0.5
    assert found["binary_accuracy"] == 0.75
    assert found["binary_f1"] == 0.8
    assert found["auc"] == 1.0
    assert found["escalated"] == 0.25
    assert found["retained_f1"] == 1.0
    assert found["false_alarms_retained"] == 0.0
    assert found["classes"]["antecedent"] == {"n": 3, "recall": 0.3333, "caught": 0.6667, "f1": 0.5}
    assert set(found["classes"]) == {"pass", "antecedent"}


def test_the_rows_of_a_confusion_matrix_are_the_truth() -> None:
    found = confusion(CALLED_OF_EIGHT, LABELS_OF_EIGHT)
    assert found[:3, :3].tolist() == [[3, 1, 0], [1, 1, 0], [0, 1, 1]]
    assert found.sum() == 8


def test_f1_by_class_leaves_absent_classes_out_of_the_mean() -> None:
    counts = confusion(CALLED_OF_EIGHT, LABELS_OF_EIGHT)
    each = class_f1(counts)
    assert each[:3] == pytest.approx([6 / 8, 2 / 5, 2 / 3])
    assert np.isnan(each[3:]).all()
    assert macro_f1(counts) == pytest.approx((6 / 8 + 2 / 5 + 2 / 3) / 3)


def test_macro_f1_agrees_with_scikit_learn_on_many_matrices_at_once() -> None:
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(4)
    pairs = [(rng.integers(0, 6, 200), rng.integers(0, 6, 200)) for _ in range(3)]
    found = macro_f1(np.stack([confusion(called, labels) for called, labels in pairs]))
    expected = [f1_score(labels, called, average="macro") for called, labels in pairs]
    assert found == pytest.approx(expected)


def test_two_classes_make_one_of_all_errors() -> None:
    fail, both = two_class(confusion(CALLED_OF_EIGHT, LABELS_OF_EIGHT))
    assert fail == pytest.approx(f1(CALLED_OF_EIGHT > 0, LABELS_OF_EIGHT > 0))
    assert both == pytest.approx((fail + f1(CALLED_OF_EIGHT == 0, LABELS_OF_EIGHT == 0)) / 2)


def test_a_prior_undoes_the_mix_of_the_rows() -> None:
    few = confusion(CALLED_OF_EIGHT, LABELS_OF_EIGHT)
    twice = few.copy()
    twice[1] *= 2  # as if every row of class 1 were there twice
    prior = (0.5, 0.25, 0.25, 0, 0, 0)
    assert macro_f1(with_prior(twice, prior)) == pytest.approx(float(macro_f1(with_prior(few, prior))))
    assert with_prior(few, prior).sum() == pytest.approx(1.0)
