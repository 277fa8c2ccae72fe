"""What a row of probabilities says: a table of cases, and laws that hold for all rows."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ace.routing import score

SURE_PASS = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
SURE_FAIL = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
SPLIT_FAIL = [0.0, 0.5, 0.0, 0.0, 0.5, 0.0]
HALF = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]


@pytest.mark.parametrize(
    ("row", "u", "h6"),
    [
        (SURE_PASS, 0.0, 0.0),
        (SURE_FAIL, 0.0, 0.0),
        (SPLIT_FAIL, 0.0, math.log(2)),
        (HALF, math.log(2), 0.5 * math.log(2) + 0.5 * math.log(10)),
        ([1 / 6] * 6, -(1 / 6 * math.log(1 / 6) + 5 / 6 * math.log(5 / 6)), math.log(6)),
    ],
)
def test_entropies_of_known_rows(row: list[float], u: float, h6: float) -> None:
    p = np.array([row])
    assert score.binary_entropy(p)[0] == pytest.approx(u, abs=1e-12)
    assert score.six_entropy(p)[0] == pytest.approx(h6, abs=1e-12)


@pytest.mark.parametrize("row", [SURE_PASS, SURE_FAIL, SPLIT_FAIL])
def test_u_is_exactly_zero_where_the_verdict_is_sure(row: list[float]) -> None:
    assert score.binary_entropy(np.array([row]))[0] == 0.0


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (HALF, True),
        ([0.5, 0.1, 0.1, 0.1, 0.1, 0.1005], True),
        ([0.5, 0.1, 0.1, 0.1, 0.1, 0.2], False),
        ([math.nan, 0.1, 0.1, 0.1, 0.1, 0.1], False),
        ([math.inf, 0, 0, 0, 0, 0], False),
        ([1.5, -0.5, 0, 0, 0, 0], False),
        ([0.0] * 6, False),
    ],
)
def test_is_number(row: list[float], expected: bool) -> None:
    assert score.is_number(np.array([row])).tolist() == [expected]


def test_no_number_in_no_number_out() -> None:
    p = np.array([[math.nan] * 6, HALF])
    assert np.isnan(score.binary_entropy(p)).tolist() == [True, False]
    assert np.isnan(score.six_entropy(p)).tolist() == [True, False]


@pytest.mark.parametrize(
    ("row", "index"),
    [(SURE_FAIL, 2), ([0.9, 0, 0, 0, 0.1, 0], 4), ([math.nan] * 6, 1), (SURE_PASS, 1)],
)
def test_top_error_names_a_defect_class(row: list[float], index: int) -> None:
    assert score.top_error(np.array([row])).tolist() == [index]


@given(arrays(np.float64, (7, 6), elements=st.floats(-30, 30)), st.floats(0.1, 10))
def test_softmax_rows_are_numbers_with_bounded_entropies(logits: np.ndarray, temperature: float) -> None:
    p = score.softmax(logits, temperature)
    assert score.is_number(p).all()
    assert np.allclose(score.p_valid(p) + score.p_inv(p), 1.0, atol=1e-5)
    assert (score.binary_entropy(p) >= 0).all()
    assert (score.binary_entropy(p) <= math.log(2) + 1e-6).all()
    assert (score.six_entropy(p) <= math.log(6) + 1e-6).all()


@given(arrays(np.float64, (20, 6), elements=st.floats(-8, 8)))
def test_u_ranks_claims_as_plain_confidence_does(logits: np.ndarray) -> None:
    # The paper says U captures more than binary confidence; by its own equation it cannot.
    p = score.softmax(logits).astype(np.float64)
    p = p / p.sum(axis=1, keepdims=True)
    doubt = -np.abs(score.p_valid(p) - 0.5)
    order = np.argsort(doubt)
    assert (np.diff(score.binary_entropy(p)[order]) >= -1e-9).all()
