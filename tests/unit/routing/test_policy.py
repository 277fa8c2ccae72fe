"""Fast path or escalation: every doubt goes up."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ace.claims.findings import CERTAIN
from ace.routing.boosted import Boosted
from ace.routing.calibration import Calibration
from ace.routing.policy import doubt, route
from ace.routing.score import binary_entropy
from ace.routing.scores import FEATURES, Learned, Score


def with_tau(tau: float) -> Calibration:
    return Calibration("cal-x", "by hand", "u", tau, 0.2, 1.0, "rev", "hash", 1, ())


SURE_PASS = [0.99, 0.01, 0, 0, 0, 0]
SURE_FAIL = [0.01, 0.0, 0.99, 0, 0, 0]
DOUBT = [0.55, 0.05, 0.1, 0.1, 0.1, 0.1]
EVEN = [0.5, 0.5, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("row", "escalate", "fail", "error"),
    [
        (SURE_PASS, False, False, 1),
        (SURE_FAIL, False, True, 2),
        (DOUBT, True, False, 2),
        (EVEN, True, False, 1),
        ([math.nan] * 6, True, False, 1),
        ([0.99, 0.01, 0, 0, 0, math.nan], True, False, 1),
        ([0.7, 0.7, 0, 0, 0, 0], True, False, 1),
        ([math.inf, 0, 0, 0, 0, 0], True, False, 1),
    ],
)
def test_table(row: list[float], escalate: bool, fail: bool, error: int) -> None:
    found = route(np.array([row], dtype=np.float32), with_tau(0.3))
    assert found.escalate.tolist() == [escalate]
    assert found.fail.tolist() == [fail]
    if math.isfinite(sum(row)) and sum(row) < 1.1:
        assert found.error_class.tolist() == [error]
    else:
        assert np.isnan(found.u).all()
        assert np.isnan(found.h6).all()


def test_a_score_at_tau_stays_on_the_fast_path_and_one_above_goes_up() -> None:
    p = np.array([DOUBT])
    tau = float(binary_entropy(p)[0])
    assert not route(p, with_tau(tau)).escalate[0]
    assert route(p, with_tau(math.nextafter(tau, 0))).escalate[0]


@given(
    arrays(np.float32, (9, 6), elements=st.floats(0, 1, width=32) | st.just(math.nan)),
    st.floats(0, 0.69),
)
def test_what_is_no_number_never_gets_a_verdict(p: np.ndarray, tau: float) -> None:
    found = route(p, with_tau(tau))
    no_number = ~np.isfinite(p).all(axis=1) | (np.abs(p.sum(axis=1) - 1) > 2e-3)
    assert found.escalate[no_number].all()
    assert not found.fail[no_number].any()
    assert (found.u[~found.escalate] <= tau).all()


@pytest.mark.parametrize(("score", "tau"), [("u", 0.68), ("h6", 1.2), ("margin", 0.5), ("learned", 0.4)])
def test_any_score_is_compared_with_tau(score: Score, tau: float) -> None:
    wrong = Boosted(-2.0, ((FEATURES.index("h6"),),), ((0.7,),), ((0.0, 3.0),))
    record = replace(with_tau(tau), score=score, learned=Learned(wrong))
    found = route(np.array([SURE_PASS, DOUBT, [math.nan] * 6]), record)
    assert found.escalate.tolist() == [False, True, True]
    assert (found.doubt[:2] > tau).tolist() == [False, True]
    assert np.isnan(found.doubt[2])
    assert found.doubt == pytest.approx(
        doubt(np.array([SURE_PASS, DOUBT, [math.nan] * 6]), record), nan_ok=True
    )
    assert found.u[1] == pytest.approx(0.6881, abs=1e-4)  # told whatever the score is


@pytest.mark.parametrize("score", ["learned", "gain"])
def test_a_record_of_a_learned_score_has_its_weights(score: Score) -> None:
    with pytest.raises(ValueError, match="learned"):
        replace(with_tau(0.1), score=score)


def test_no_claims_no_routes() -> None:
    assert route(np.zeros((0, 6)), with_tau(0.1)).escalate.shape == (0,)


@pytest.mark.parametrize(
    ("row", "sure", "escalate", "disputed"),
    [
        (SURE_PASS, 0.0, False, False),
        (SURE_PASS, 0.49, False, False),
        (SURE_PASS, 0.5, False, True),
        (SURE_PASS, 0.79, False, True),
        (SURE_PASS, 0.8, True, True),
        (SURE_PASS, 1.0, True, True),
        (SURE_PASS, math.nan, True, False),
        (SURE_FAIL, 0.0, False, True),
        (SURE_FAIL, 0.3, False, False),
        (SURE_FAIL, 0.99, False, False),
        (SURE_FAIL, math.nan, False, True),
        (DOUBT, 0.0, True, False),
        ([math.nan] * 6, 0.99, True, True),
    ],
)
def test_a_verdict_stands_alone_only_beside_findings_that_agree(
    row: list[float], sure: float, escalate: bool, disputed: bool
) -> None:
    record = replace(with_tau(0.3), certain=0.8)
    found = route(np.array([row, SURE_PASS]), record, [sure, 0.0])
    assert found.escalate.tolist() == [escalate, False]
    assert found.disputed.tolist() == [disputed, False]


def test_without_rules_nothing_is_disputed() -> None:
    assert not route(np.array([SURE_FAIL, SURE_PASS]), with_tau(0.3)).disputed.any()


def test_a_record_of_before_has_the_default_certainty_and_keeps_its_id(tmp_path: Path) -> None:
    record = with_tau(0.3).sealed()
    record.save(tmp_path / "c.json")
    written = json.loads((tmp_path / "c.json").read_text())
    del written["certain"]
    (tmp_path / "c.json").write_text(json.dumps(written))

    assert Calibration.load(tmp_path / "c.json") == record
    assert record.certain == CERTAIN
    assert replace(record, certain=0.5).sealed().id != record.id
