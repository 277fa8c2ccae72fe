"""How doubtful a row of six probabilities is, by any of the scores that can be compared with tau.

Every score grows with doubt. "u" is the paper's (§4.2), and ranks as binary confidence does; "h6"
and "margin" look at all six classes; "learned" and "gain" are small logistic models over features
of the row. Weights live in the calibration record. No decisions here, numpy alone computes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from ace.claims.taxonomy import LABELS
from ace.routing.score import Floats, binary_entropy, is_number, p_inv, p_valid, six_entropy

Score = Literal["u", "h6", "margin", "learned", "gain"]

MIN_P: Final = 1e-6
"""Smaller probabilities count as this, so that a logarithm cannot outvote the other features."""

FEATURES: Final = (
    *(f"log_p_{rank}" for rank in range(1, len(LABELS) + 1)),
    "u",
    "h6",
    "margin",
    *(f"calls_{label}" for label in LABELS),
)


@dataclass(frozen=True, slots=True)
class Logistic:
    """P(event | features) = 1 / (1 + exp(-(intercept + weights · features))); a weight per FEATURES."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    intercept: float
    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if set(self.weights) != set(FEATURES):
            raise ValueError(f"weights must be those of the {len(FEATURES)} features: {', '.join(FEATURES)}")

    def probability(self, features: Floats) -> Floats:
        """The event's probability, shape (N,), for features of shape (N, len(FEATURES))."""
        raw = features @ np.array([self.weights[name] for name in FEATURES]) + self.intercept
        found: Floats = 0.5 * (1.0 + np.tanh(0.5 * raw))  # the logistic function, without overflow
        return found


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned on the calibration split: when the gatekeeper's call is wrong and, if the split
    had the expert's opinions, when the expert's is. A failed examination counts as wrong."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    gatekeeper_wrong: Logistic
    expert_wrong: Logistic | None = None


def calls(p: NDArray[np.floating]) -> NDArray[np.bool_]:
    """The gatekeeper's opinion, True for Fail, shape (N,): P_inv > P_valid, as in the paper."""
    found: NDArray[np.bool_] = p_inv(p) > p_valid(p)
    return found


def margin_doubt(p: NDArray[np.floating]) -> Floats:
    """1 - (top - second) of the six probabilities, shape (N,), from 0 (one class has all) to 1."""
    ordered = np.sort(np.asarray(p, dtype=np.float64), axis=1)
    found: Floats = 1.0 - (ordered[:, -1] - ordered[:, -2])
    return found


def features(p: NDArray[np.floating]) -> Floats:
    """The inputs of the learned scores, shape (N, len(FEATURES)); NaN in rows of NaN."""
    p = np.asarray(p, dtype=np.float64)
    logs = np.log(np.maximum(np.sort(p, axis=1)[:, ::-1], MIN_P))
    shapes = np.stack([binary_entropy(p), six_entropy(p), margin_doubt(p)], axis=1)
    called = np.eye(len(LABELS))[np.nan_to_num(p).argmax(axis=1)]
    return np.concatenate([logs, shapes, called], axis=1)


def doubt_of(p: NDArray[np.floating], score: Score, learned: Learned | None = None) -> Floats:
    """The score of rows of probabilities, shape (N,); NaN where a row is no distribution.

    "u" and "h6" are in nats; "learned" is the probability that the gatekeeper's call is wrong;
    "gain" is by how much the expert is less likely to be wrong, from -1 to 1. Raises ValueError
    if a learned score lacks its weights.
    """
    sound = is_number(p)
    safe = np.where(sound[:, None], np.asarray(p, dtype=np.float64), np.nan)
    plain = _PLAIN.get(score)
    found = plain(safe) if plain else _learned_doubt(features(safe), score, learned)
    result: Floats = np.where(sound, found, np.nan)
    return result


_PLAIN: Final[Mapping[Score, Callable[[Floats], Floats]]] = {
    "u": binary_entropy,
    "h6": six_entropy,
    "margin": margin_doubt,
}


def _learned_doubt(seen: Floats, score: Score, learned: Learned | None) -> Floats:
    if learned is None:
        raise ValueError(f"score {score!r} needs learned weights")
    wrong = learned.gatekeeper_wrong.probability(seen)
    if score == "learned":
        return wrong
    if learned.expert_wrong is None:
        raise ValueError("score 'gain' needs the weights of expert_wrong")
    return wrong - learned.expert_wrong.probability(seen)
