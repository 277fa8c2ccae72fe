"""tau for a share of escalated claims, and the curve over all shares."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ace.routing.score import softmax
from ace_lab.calibration.guarantee import RoutingRows
from ace_lab.calibration.routing_curve import CURVE_POINTS, cascade_curve, routing_curve, tau_for


@pytest.mark.parametrize(
    ("u", "escalation", "tau"),
    [
        ([0.1, 0.2, 0.3, 0.4, 0.5], 0.2, 0.4),
        ([0.5, 0.4, 0.3, 0.2, 0.1], 0.4, 0.3),
        ([0.1, 0.2, 0.3], 0.0, 0.3),
        ([0.1, 0.2, 0.3], 0.2, 0.3),  # one of three would be more than a fifth
        ([0.3, 0.3, 0.3, 0.3], 0.5, 0.3),  # ties never exceed the share
    ],
)
def test_tau_of_known_scores(u: list[float], escalation: float, tau: float) -> None:
    assert tau_for(np.array(u), escalation) == tau


@given(arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 0.69)), st.floats(0, 0.99))
def test_never_more_than_the_share_escalates(u: np.ndarray, escalation: float) -> None:
    tau = tau_for(u, escalation)
    assert (u > tau).mean() <= escalation + 1e-9
    assert tau in u


@pytest.mark.parametrize("escalation", [-0.1, 1.0, math.nan])
def test_refuses_an_impossible_share(escalation: float) -> None:
    with pytest.raises(ValueError, match="escalation"):
        tau_for(np.array([0.1]), escalation)


def test_curve_falls_in_tau_and_starts_with_everything_kept() -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 6, 200)
    logits = rng.normal(0, 1, (200, 6))
    logits[np.arange(200), labels] += 2
    curve = routing_curve(softmax(logits), labels > 0)
    assert len(curve) == CURVE_POINTS
    assert curve[0].escalation == 0.0
    assert [point.tau for point in curve] == sorted((point.tau for point in curve), reverse=True)
    # Better than chance and sharper where surer: that is what routing lives on.
    assert curve[15].accuracy is not None
    assert curve[0].accuracy is not None
    assert curve[15].accuracy > curve[0].accuracy


def test_the_cascade_ends_with_the_expert() -> None:
    rng = np.random.default_rng(2)
    invalid = rng.random(2_000) < 0.3
    doubt = rng.random(2_000)
    called = invalid ^ (rng.random(2_000) < 0.5 * doubt)
    rows = RoutingRows(doubt, called, invalid, np.arange(2_000), np.zeros(2_000, dtype=bool))
    points = cascade_curve(rows)
    assert points[0].escalation == 0
    assert points[0].recall == pytest.approx((called & invalid).sum() / invalid.sum(), abs=1e-6)
    assert points[0].precision == pytest.approx((called & invalid).sum() / called.sum(), abs=1e-6)
    recalls = [point.recall for point in points]
    assert recalls == sorted(recalls)  # an expert that is never wrong, asked more
    assert recalls[-1] > 0.97
    assert cascade_curve(replace(rows, expert_wrong=None)) == ()
