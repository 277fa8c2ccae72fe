"""Fast path or escalation, for a batch of scores. Pure; every doubt goes up (law 9)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ace.claims.findings import LIKELY
from ace.routing.calibration import Calibration
from ace.routing.score import binary_entropy, is_number, six_entropy, top_error
from ace.routing.scores import calls, doubt_of


@dataclass(frozen=True, slots=True)
class Routing:
    """The routing of N claims; every array has shape (N,).

    `fail` and `error_class` (1 to 5, index into LABELS) are the gatekeeper's opinion, which is the verdict
    only if `escalate` is false. `disputed` says that the rules see it otherwise: they find nothing in a claim
    that it fails, or a likely defect in one that it passes. `u` and `h6` are in nats; `doubt` is the
    calibration's score, which was compared with tau. All three are NaN if the row is not a distribution.
    """

    escalate: NDArray[np.bool_]
    fail: NDArray[np.bool_]
    disputed: NDArray[np.bool_]
    u: NDArray[np.float64]
    h6: NDArray[np.float64]
    error_class: NDArray[np.intp]
    doubt: NDArray[np.float64]

    def of(self, wanted: NDArray[np.bool_]) -> "Routing":
        """The routing of some of the claims; `wanted` has shape (N,)."""
        return Routing(**{one.name: getattr(self, one.name)[wanted] for one in fields(self)})


def doubt(
    p: NDArray[np.floating], calibration: Calibration, facts: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The score that the calibration compares with tau, shape (N,); NaN if a row is not a distribution."""
    return doubt_of(p, calibration.score, calibration.learned, facts, calibration.stakes)


def route(
    p: NDArray[np.floating],
    calibration: Calibration,
    sure: Sequence[float] | None = None,
    facts: NDArray[np.float64] | None = None,
) -> Routing:
    """Routes rows of probabilities, shape (N, 6): escalates those with doubt > tau (paper §4.2).

    `facts`, shape (N, len(FACTS)), are what a learned doubt knows of the claims besides.

    `sure` has for each claim the confidence of the likeliest finding that fails it: 0 without one, NaN if the
    rules could not judge it, and None if they were not asked. A claim that would pass beside a finding of at
    least `calibration.certain`, or unjudged, escalates.

    Rows that are not a distribution always escalate, with u, h6 and doubt NaN and fail False. If P_inv
    equals P_valid the opinion is Pass, as in the paper's argmax over (P_valid, P_inv).
    """
    sound = is_number(p)
    safe = np.where(sound[:, None], p, np.nan)
    doubtful = doubt(p, calibration, facts)
    fail = sound & calls(safe)
    beside = np.asarray([0.0] * len(p) if sure is None else sure)
    contradicted = ~fail & ~(beside < calibration.certain)
    return Routing(
        escalate=~(doubtful <= calibration.tau) | contradicted,  # also if the doubt is NaN
        fail=fail,
        disputed=np.where(fail, ~(beside > 0), beside >= LIKELY) & (sure is not None),
        u=np.where(sound, binary_entropy(safe), np.nan),
        h6=np.where(sound, six_entropy(safe), np.nan),
        error_class=top_error(safe),
        doubt=doubtful,
    )
