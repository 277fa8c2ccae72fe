"""Metrics against cases worked out by hand."""

import numpy as np
import pytest

from ace.lab.metrics import auc, expected_calibration_error, f1, report


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
