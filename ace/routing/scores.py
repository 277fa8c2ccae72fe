"""How doubtful a row of six probabilities is, by any of the scores that can be compared with tau.

Every score grows with doubt. "u" is the paper's (§4.2), and ranks as binary confidence does; "h6"
and "margin" look at all six classes; "learned" and "gain" are small boosted trees over features
of the row. They live in the calibration record. No decisions here, numpy alone computes.
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
"""Smaller probabilities count as this, so that a logarithm stays finite."""

FEATURES: Final = (
    *(f"log_p_{rank}" for rank in range(1, len(LABELS) + 1)),
    "u",
    "h6",
    "margin",
    *(f"calls_{label}" for label in LABELS),
)


@dataclass(frozen=True, slots=True)
class Boosted:
    """P(event | features) = 1 / (1 + exp(-(intercept + the trees' values))): gradient-boosted trees.

    Trees are complete and of one depth d; a tree has 2^d - 1 inner nodes, of which node i has the children
    2i + 1 and 2i + 2, and 2^d values. A row goes left where its feature is at most the threshold. `features`
    are indices of FEATURES and, like `thresholds`, have one list for each tree, as have `values`.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    intercept: float
    features: tuple[tuple[int, ...], ...]
    thresholds: tuple[tuple[float, ...], ...]
    values: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        shapes = {
            (len(asked), len(bounds), len(values) - 1)
            for asked, bounds, values in zip(self.features, self.thresholds, self.values, strict=True)
        }
        inner = {size for shape in shapes for size in shape}
        if len(inner) > 1 or any((size + 1) & size for size in inner):
            raise ValueError("trees must be complete and of one depth")
        if any(not 0 <= index < len(FEATURES) for asked in self.features for index in asked):
            raise ValueError(f"trees ask for {len(FEATURES)} features: {', '.join(FEATURES)}")

    def probability(self, features: Floats) -> Floats:
        """The event's probability, shape (N,), for features of shape (N, len(FEATURES)); NaN where one is."""
        raw = np.full(len(features), self.intercept)
        if self.values:
            asked, bounds = np.array(self.features), np.array(self.thresholds)
            trees, rows = np.arange(len(self.values)), np.arange(len(features))[:, None]
            node = np.zeros((len(features), len(trees)), dtype=np.intp)
            for _ in range(int(asked.shape[1] + 1).bit_length() - 1):
                right = features[rows, asked[trees, node]] > bounds[trees, node]
                node = 2 * node + 1 + right
            raw = raw + np.array(self.values)[trees, node - asked.shape[1]].sum(axis=1)
        raw[np.isnan(features).any(axis=1)] = np.nan
        found: Floats = 0.5 * (1.0 + np.tanh(0.5 * raw))  # the logistic function, without overflow
        return found


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned on the calibration families: when the gatekeeper's call is wrong and, if the split
    had the expert's opinions, when the expert's is. A failed examination counts as wrong."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    gatekeeper_wrong: Boosted
    expert_wrong: Boosted | None = None


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
    if a learned score lacks its trees.
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
        raise ValueError(f"score {score!r} needs learned trees")
    wrong = learned.gatekeeper_wrong.probability(seen)
    if score == "learned":
        return wrong
    if learned.expert_wrong is None:
        raise ValueError("score 'gain' needs the trees of expert_wrong")
    return wrong - learned.expert_wrong.probability(seen)
