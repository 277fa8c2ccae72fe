"""Fast path or escalation, for a batch of scores. Pure; every doubt goes up (law 9)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ace.gatekeeper.score import binary_entropy, is_number, p_inv, p_valid, six_entropy, top_error
from ace.routing.calibration import Calibration


@dataclass(frozen=True, slots=True)
class Routing:
    """What becomes of N claims; every array has shape (N,).

    `fail` and `error_class` (1 to 5, index into LABELS) are the gatekeeper's opinion, which is the
    verdict only where `escalate` is false. `u` and `h6` are in nats, NaN where the row is no number.
    """

    escalate: NDArray[np.bool_]
    fail: NDArray[np.bool_]
    u: NDArray[np.float64]
    h6: NDArray[np.float64]
    error_class: NDArray[np.intp]


def route(p: NDArray[np.floating], calibration: Calibration) -> Routing:
    """Routes rows of probabilities, shape (N, 6): escalate where U > tau (paper §4.2).

    Rows that are no number always escalate, with u and h6 NaN and fail False. Where P_inv equals
    P_valid the opinion is Pass, as in the paper's argmax over (P_valid, P_inv).
    """
    sound = is_number(p)
    safe = np.where(sound[:, None], p, np.nan)
    u = np.where(sound, binary_entropy(safe), np.nan)
    return Routing(
        escalate=~sound | (u > calibration.tau),
        fail=sound & (p_inv(safe) > p_valid(safe)),
        u=u,
        h6=np.where(sound, six_entropy(safe), np.nan),
        error_class=top_error(safe),
    )
