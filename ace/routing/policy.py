"""Fast path or escalation, for a batch of scores. Pure; every doubt goes up (law 9)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ace.routing.calibration import Calibration
from ace.routing.score import binary_entropy, is_number, six_entropy, top_error
from ace.routing.scores import calls, doubt_of


@dataclass(frozen=True, slots=True)
class Routing:
    """The routing of N claims; every array has shape (N,).

    `fail` and `error_class` (1 to 5, index into LABELS) are the gatekeeper's opinion, which is the
    verdict only if `escalate` is false. `u` and `h6` are in nats; `doubt` is the calibration's score,
    which was compared with tau. All three are NaN if the row is not a distribution.
    """

    escalate: NDArray[np.bool_]
    fail: NDArray[np.bool_]
    u: NDArray[np.float64]
    h6: NDArray[np.float64]
    error_class: NDArray[np.intp]
    doubt: NDArray[np.float64]


def doubt(p: NDArray[np.floating], calibration: Calibration) -> NDArray[np.float64]:
    """The score that the calibration compares with tau, shape (N,); NaN if a row is not a distribution."""
    return doubt_of(p, calibration.score, calibration.learned)


def route(p: NDArray[np.floating], calibration: Calibration) -> Routing:
    """Routes rows of probabilities, shape (N, 6): escalates those with doubt > tau (paper §4.2).

    Rows that are not a distribution always escalate, with u, h6 and doubt NaN and fail False. If P_inv
    equals P_valid the opinion is Pass, as in the paper's argmax over (P_valid, P_inv).
    """
    sound = is_number(p)
    safe = np.where(sound[:, None], p, np.nan)
    doubtful = doubt(p, calibration)
    return Routing(
        escalate=~(doubtful <= calibration.tau),  # also if the doubt is NaN
        fail=sound & calls(safe),
        u=np.where(sound, binary_entropy(safe), np.nan),
        h6=np.where(sound, six_entropy(safe), np.nan),
        error_class=top_error(safe),
        doubt=doubtful,
    )
