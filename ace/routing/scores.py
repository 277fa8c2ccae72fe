"""How doubtful a row of six probabilities is, by any of the scores that can be compared with tau.

Every score grows with doubt. "u" is the paper's (§4.2), and ranks as binary confidence does; "h6"
and "margin" look at all six classes; "error" is the probability that the call is wrong, which ranks
as "u" does only if a missed defect counts as much as a false alarm; "learned" and "gain" are small
boosted trees over features of the row and facts about the claim. They live in the calibration
record. No decisions here, numpy alone computes.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from ace.claims.taxonomy import LABELS
from ace.routing.boosted import Boosted
from ace.routing.score import (
    Floats,
    binary_entropy,
    is_number,
    p_inv,
    p_valid,
    six_entropy,
    without_stakes,
)

Score = Literal["u", "h6", "margin", "error", "learned", "gain"]

MIN_P: Final = 1e-6
"""Smaller probabilities count as this, so that a logarithm stays finite."""

FACTS: Final = (
    "log_characters",
    "commas",
    "semicolons",
    "ancestors",
    "exact_phrases",
    "inexact_phrases",
    "unresolved_phrases",
    *(f"rules_{error_class}" for error_class in LABELS[1:]),
    *(f"notes_{error_class}" for error_class in LABELS[1:]),
)
"""What is known of a claim besides the probabilities (`ace.gatekeeper.facts`)."""

FEATURES: Final = (
    *(f"log_p_{rank}" for rank in range(1, len(LABELS) + 1)),
    "u",
    "h6",
    "margin",
    *(f"calls_{label}" for label in LABELS),
    *FACTS,
)


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned on the calibration families: when the gatekeeper's call is wrong, None if its
    probabilities say so, and, if the split had the expert's opinions, when the expert's is. A failed
    examination counts as wrong."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    gatekeeper_wrong: Boosted | None = None
    expert_wrong: Boosted | None = None

    def __post_init__(self) -> None:
        for trees in (self.gatekeeper_wrong, self.expert_wrong):
            if trees is not None:
                trees.check(FEATURES)


def calls(p: NDArray[np.floating]) -> NDArray[np.bool_]:
    """The gatekeeper's opinion, True for Fail, shape (N,): P_inv > P_valid, as in the paper."""
    found: NDArray[np.bool_] = p_inv(p) > p_valid(p)
    return found


def error_doubt(p: NDArray[np.floating], stakes: float = 1.0) -> Floats:
    """The probability that the gatekeeper's opinion is wrong, shape (N,), of rows (N, 6) in which a missed
    defect counts as `stakes` false alarms."""
    true = without_stakes(p, stakes)
    found: Floats = np.where(calls(p), p_valid(true), p_inv(true))
    return found


def margin_doubt(p: NDArray[np.floating]) -> Floats:
    """1 - (top - second) of the six probabilities, shape (N,), from 0 (one class has all) to 1."""
    ordered = np.sort(np.asarray(p, dtype=np.float64), axis=1)
    found: Floats = 1.0 - (ordered[:, -1] - ordered[:, -2])
    return found


def features(p: NDArray[np.floating], facts: Floats | None = None) -> Floats:
    """The inputs of the learned scores, shape (N, len(FEATURES)), of probabilities (N, 6) and facts
    (N, len(FACTS)), all 0 if nothing is known; NaN in rows of NaN."""
    p = np.asarray(p, dtype=np.float64)
    known = np.zeros((len(p), len(FACTS))) if facts is None else facts
    logs = np.log(np.maximum(np.sort(p, axis=1)[:, ::-1], MIN_P))
    shapes = np.stack([binary_entropy(p), six_entropy(p), margin_doubt(p)], axis=1)
    called = np.eye(len(LABELS))[np.nan_to_num(p).argmax(axis=1)]
    return np.concatenate([logs, shapes, called, known], axis=1)


def doubt_of(
    p: NDArray[np.floating],
    score: Score,
    learned: Learned | None = None,
    facts: Floats | None = None,
    stakes: float = 1.0,
) -> Floats:
    """The score of rows of probabilities, (N, 6), in which a missed defect counts as `stakes` false alarms,
    about claims with these facts, (N, len(FACTS)); shape (N,), NaN where a row is no distribution.

    "u" and "h6" are in nats; "error" and "learned" are probabilities that the gatekeeper's call is
    wrong; "gain" is by how much the expert is less likely to be wrong, from -1 to 1, a missed defect
    counting as `stakes` false alarms. Raises ValueError if a learned score lacks its trees.
    """
    sound = is_number(p)
    safe = np.where(sound[:, None], np.asarray(p, dtype=np.float64), np.nan)
    plain = _PLAIN.get(score)
    if plain is not None:
        found = plain(safe)
    elif score == "error":
        found = error_doubt(safe, stakes)
    else:
        found = _learned_doubt(safe, score, learned, facts)
    result: Floats = np.where(sound, found, np.nan)
    return result


_PLAIN: Final[Mapping[Score, Callable[[Floats], Floats]]] = {
    "u": binary_entropy,
    "h6": six_entropy,
    "margin": margin_doubt,
}


def _learned_doubt(p: Floats, score: Score, learned: Learned | None, facts: Floats | None) -> Floats:
    if learned is None:
        raise ValueError(f"score {score!r} needs learned trees")
    seen, own = features(p, facts), learned.gatekeeper_wrong
    if score == "learned":
        if own is None:
            raise ValueError("score 'learned' needs the trees of gatekeeper_wrong")
        return own.probability(seen)
    if learned.expert_wrong is None:
        raise ValueError("score 'gain' needs the trees of expert_wrong")
    # What the expert's trees have learned counts a missed defect as the probabilities do.
    wrong = error_doubt(p) if own is None else own.probability(seen)
    return wrong - learned.expert_wrong.probability(seen)
