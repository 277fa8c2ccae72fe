"""What the rules are sure of, joined to what the encoder says: a pool of their log-odds. numpy only.

An encoder knows the kinds of defects that it was trained on, and calls others sound without a doubt; a rule
knows its kind, and how often it is right. So either may speak for a defect, and the encoder hardly outvotes a
rule: how far it is below FLOOR for a class counts only a tenth.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from ace.claims.taxonomy import LABELS, ErrorClass

FLOOR: Final = -2.0
"""The log-odds of a class against pass below which the encoder says little."""

QUIET: Final = 0.1
"""What a unit below FLOOR counts: enough to rank claims about which all are silent."""

FAINTEST, SUREST = 0.05, 0.97
"""Confidences outside of these count as these."""

Floats = NDArray[np.float64]
Weight = Annotated[float, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights of a pool; `rules` and `bias` have one for each class of defect. No weight is negative:
    nothing that speaks for a defect can make it less likely."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    encoder: Weight
    rules: Mapping[ErrorClass, Weight]
    notes: Weight
    bias: Mapping[ErrorClass, float]

    def __post_init__(self) -> None:
        if set(self.rules) != set(ErrorClass) or set(self.bias) != set(ErrorClass):
            raise ValueError("fusion needs a weight and a bias for each class of defect")

    def logits(self, raw: NDArray[np.floating], confidences: Floats) -> Floats:
        """Fused logits, shape (N, 6), of the encoder's logits, (N, 6), and the confidences of the rules,
        (N, 2, 5), as `ace.gatekeeper.probabilities` makes them."""
        rules = np.array([self.rules[each] for each in ErrorClass])
        bias = np.array([self.bias[each] for each in ErrorClass])
        return pooled(features(raw, confidences), self.encoder, rules, self.notes, bias)


def features(raw: NDArray[np.floating], confidences: Floats) -> Floats:
    """What the weights apply to, (N, 3, 5): encoder, findings that fail the claim, and notes."""
    raw = np.asarray(raw, dtype=np.float64)
    above = raw[:, 1:] - raw[:, :1] - FLOOR
    margins = np.where(above < 0, QUIET * above, above)
    return np.concatenate([margins[:, None], _log_odds(confidences) - _log_odds(np.array(0.0))], axis=1)


def pooled(said: Floats, encoder: float, rules: Floats, notes: float, bias: Floats) -> Floats:
    """Logits, shape (N, 6), that of pass being 0, of `features` under these weights; `rules` and `bias` have
    shape (5,)."""
    found = np.zeros((len(said), len(LABELS)))
    found[:, 1:] = encoder * said[:, 0] + rules * said[:, 1] + notes * said[:, 2] + bias
    return found


def _log_odds(confidence: Floats) -> Floats:
    bounded = np.clip(confidence, FAINTEST, SUREST)
    found: Floats = np.log(bounded / (1 - bounded))
    return found
