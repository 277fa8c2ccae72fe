"""The gatekeeper's probabilities: what the rules found, joined to the encoder's logits."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ace.claims.model import ClaimInput
from ace.gatekeeper.facts import claim_facts
from ace.routing.calibration import Calibration
from ace.routing.score import softmax


def probabilities(
    raw: NDArray[np.floating], claims: Sequence[ClaimInput], calibration: Calibration
) -> NDArray[np.float32]:
    """Calibrated probabilities, shape (N, 6), of the encoder's logits (N, 6) on these claims."""
    return softmax(fused_logits(raw, claims, calibration), calibration.temperature)


def fused_logits(
    raw: NDArray[np.floating], claims: Sequence[ClaimInput], calibration: Calibration
) -> NDArray[np.floating]:
    """The logits that the temperature applies to, shape (N, 6)."""
    return raw if calibration.fusion is None else calibration.fusion.logits(raw, claim_facts(claims))
