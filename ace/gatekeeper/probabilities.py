"""The gatekeeper's probabilities: what the rules found, joined to the encoder's logits."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import analysis_of
from ace.claims.chains import BrokenChain
from ace.claims.findings import Finding
from ace.claims.model import ClaimInput
from ace.claims.taxonomy import ErrorClass
from ace.routing.calibration import Calibration
from ace.routing.score import softmax

_PLACES: Final = {each: at for at, each in enumerate(ErrorClass)}


def rule_confidences(claims: Sequence[ClaimInput]) -> NDArray[np.float64]:
    """The confidence of the likeliest finding of each class, shape (N, 2, 5): of those that fail the claim,
    and of notes. 0 without one, and for a claim that could not be analysed."""
    found = np.zeros((len(claims), 2, len(ErrorClass)))
    for row, claim in zip(found, claims, strict=True):
        for each in _findings(claim):
            at = int(not each.fails), _PLACES[each.error_class]
            row[at] = max(row[at], each.confidence)
    return found


def probabilities(
    raw: NDArray[np.floating], claims: Sequence[ClaimInput], calibration: Calibration
) -> NDArray[np.float32]:
    """Calibrated probabilities, shape (N, 6), of the encoder's logits (N, 6) on these claims."""
    return softmax(fused_logits(raw, claims, calibration), calibration.temperature)


def fused_logits(
    raw: NDArray[np.floating], claims: Sequence[ClaimInput], calibration: Calibration
) -> NDArray[np.floating]:
    """The logits that the temperature applies to, shape (N, 6)."""
    return raw if calibration.fusion is None else calibration.fusion.logits(raw, rule_confidences(claims))


def _findings(claim: ClaimInput) -> Sequence[Finding]:
    try:
        return analysis_of(claim).findings
    except BrokenChain:
        return ()
