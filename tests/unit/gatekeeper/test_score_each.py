"""A claim that breaks scoring costs its own row and nothing else."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.claims.model import ClaimInput
from ace.gatekeeper.engine import score_each
from ace.routing.calibration import Calibration

CALIBRATION = Calibration("cal-x", "by hand", "u", 0.3, 0.2, 1.0, "rev", "hash", 1, ())


class Brittle:
    """Scores by claim number, and breaks on the numbers it is told to break on."""

    revision = "rev"
    calibration = CALIBRATION

    def __init__(self, breaking: set[int]) -> None:
        self.breaking = breaking
        self.calls = 0

    def score(self, inputs: Sequence[ClaimInput]) -> np.ndarray:
        self.calls += 1
        if any(claim.number in self.breaking for claim in inputs):
            raise RuntimeError("broken")
        p = np.zeros((len(inputs), 6), dtype=np.float32)
        p[:, 0] = [claim.number / 1000 for claim in inputs]
        p[:, 1] = 1 - p[:, 0]
        return p


def claims(n: int) -> list[ClaimInput]:
    # Number 1 is that of the engine's own harmless claim.
    return [ClaimInput(number, "A pump.") for number in range(2, n + 2)]


@given(st.integers(1, 60), st.data())
def test_exactly_the_breaking_claims_get_no_number(n: int, data: st.DataObject) -> None:
    breaking = data.draw(st.sets(st.integers(2, n + 1)))
    p = score_each(Brittle(breaking), claims(n))
    for row, claim in zip(p, claims(n), strict=True):
        if claim.number in breaking:
            assert np.isnan(row).all()
        else:
            assert row[0] == pytest.approx(claim.number / 1000)


def test_a_sound_batch_costs_one_call() -> None:
    engine = Brittle(set())
    score_each(engine, claims(64))
    assert engine.calls == 1


def test_one_breaking_claim_of_64_costs_two_calls_a_halving() -> None:
    engine = Brittle({20})
    score_each(engine, claims(64))
    assert engine.calls == 1 + 2 * 6


def test_a_broken_engine_raises_instead_of_escalating_everything() -> None:
    with pytest.raises(RuntimeError, match="broken"):
        score_each(Brittle(set(range(1, 100))), claims(5))


def test_nothing_to_score() -> None:
    assert score_each(Brittle({1}), []).shape == (0, 6)
