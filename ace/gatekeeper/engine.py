"""The gatekeeper as the rest of ACE knows it: a protocol, and scoring that survives any single claim."""

from collections.abc import Sequence
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ace.claims.taxonomy import LABELS
from ace.gatekeeper.inputs import ClaimInput
from ace.routing.calibration import Calibration

MAX_BATCH_ITEMS: Final = 256

HARMLESS: Final = ClaimInput(1, "A device comprising a housing and a lid.")

Device = Literal["auto", "cpu", "cuda"]


class Engine(Protocol):
    """A loaded model: its revision, the calibration that goes with it, and its scores."""

    @property
    def revision(self) -> str:
        """What the model is, as stored with every verdict."""

    @property
    def calibration(self) -> Calibration:
        """The record that says when its scores are too doubtful."""

    def score(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """Probabilities, shape (N, 6) in the order of LABELS, in the order of the inputs."""

    def locate(
        self, inputs: Sequence[ClaimInput], classes: Sequence[int] | NDArray[np.int64]
    ) -> list[tuple[int, int] | None]:
        """For each claim, the characters [start:end] of its text that speak most for its class.

        `classes`, shape (N,), are indices of LABELS. None throughout if the model does not judge token
        by token, and for a claim whose tokens cannot be found again in its text.
        """


class LoadedEngine(Engine, Protocol):
    """An engine that also gives the model's raw output, for calibration and evaluation."""

    @property
    def hints(self) -> bool:
        """Whether the model reads the hints of the rules beside each claim."""

    def logits(self, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
        """What the scores are made of, shape (N, 6), without temperature."""


def score_each(engine: Engine, inputs: Sequence[ClaimInput]) -> NDArray[np.float32]:
    """As `engine.score`, but a claim that breaks it costs only its own row, which becomes NaN.

    A failing batch is halved until the breaking claims stand alone: k of them among N cost about
    2 k log N calls. Rows of NaN escalate (routing/policy.py). If no claim could be scored, the engine
    is tried on a claim of our own: if that fails too, the engine is broken, not the claims, and its
    error is raised.
    """
    out = np.full((len(inputs), len(LABELS)), np.nan, dtype=np.float32)
    scored = _score_range(engine, inputs, out, 0, len(inputs))
    if inputs and not scored:
        engine.score([HARMLESS])
    return out


def _score_range(
    engine: Engine,
    inputs: Sequence[ClaimInput],
    out: NDArray[np.float32],
    start: int,
    end: int,
) -> int:
    """Fills rows [start:end] of `out`; returns how many could be scored."""
    if start == end:
        return 0
    try:
        out[start:end] = engine.score(inputs[start:end])
    except Exception:  # whatever a tokenizer or a runtime raises on one claim
        if end - start == 1:
            return 0
        middle = (start + end) // 2
        left = _score_range(engine, inputs, out, start, middle)
        return left + _score_range(engine, inputs, out, middle, end)
    return end - start
