"""What the rules are sure of, joined to what the encoder says. numpy only.

An encoder knows the kinds of defects that it was trained on, and calls others sound without a doubt; a rule
knows its kind, and how often it is right. So a pool of log-odds lets either speak for a class, and the
encoder hardly outvotes a rule: how far it is below FLOOR for a class counts only a tenth. The pool says which
class is the likeliest. Whether there is a defect at all, trees may say, which see what the pool leaves out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field

from ace.claims.taxonomy import LABELS, ErrorClass
from ace.routing.boosted import Boosted, Floats
from ace.routing.scores import FACTS

FLOOR: Final = -2.0
"""The log-odds of a class against pass below which the encoder says little."""

QUIET: Final = 0.1
"""What a unit below FLOOR counts: enough to rank claims about which all are silent."""

FAINTEST, SUREST = 0.05, 0.97
"""Confidences outside of these count as these."""

_RULES: Final = 2 * len(ErrorClass)
"""The last of the facts: the confidences of findings, and of notes."""

EVIDENCE: Final = (
    "margin_1",
    "margin_2",
    *(f"margin_{each}" for each in ErrorClass),
    *(f"rules_{each}" for each in ErrorClass),
    *(f"notes_{each}" for each in ErrorClass),
    "likeliest_finding",
    "likeliest_note",
    "pooled",
    *FACTS[:-_RULES],
)
"""What the trees see: the encoder's margins, the two largest first, log-odds of findings and notes, the
pool's log-odds of any defect, and how long and how linked the claim is."""

Weight = Annotated[float, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Fusion:
    """The weights of a pool; `rules` and `bias` have one for each class of defect. No weight is negative:
    nothing that speaks for a class can make it less likely. `defect` are the trees over EVIDENCE; None leaves
    it to the pool whether there is a defect."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    encoder: Weight
    rules: Mapping[ErrorClass, Weight]
    notes: Weight
    bias: Mapping[ErrorClass, float]
    defect: Boosted | None = None

    def __post_init__(self) -> None:
        if set(self.rules) != set(ErrorClass) or set(self.bias) != set(ErrorClass):
            raise ValueError("fusion needs a weight and a bias for each class of defect")
        if self.defect is not None:
            self.defect.check(EVIDENCE)

    def logits(self, raw: NDArray[np.floating], facts: Floats) -> Floats:
        """Fused logits, shape (N, 6), of the encoder's logits, (N, 6), and facts about the claims,
        (N, len(FACTS)), as `ace.gatekeeper.facts` gives them."""
        rules = np.array([self.rules[each] for each in ErrorClass])
        bias = np.array([self.bias[each] for each in ErrorClass])
        found = pooled(features(raw, facts), self.encoder, rules, self.notes, bias)
        if self.defect is None:
            return found
        odds = self.defect.log_odds(evidence(raw, facts, found))
        found[:, 1:] += (odds - of_any(found))[:, None]
        return found


def features(raw: NDArray[np.floating], facts: Floats) -> Floats:
    """What the weights apply to, (N, 3, 5): encoder, findings that fail the claim, and notes."""
    raw = np.asarray(raw, dtype=np.float64)
    above = raw[:, 1:] - raw[:, :1] - FLOOR
    margins = np.where(above < 0, QUIET * above, above)
    return np.concatenate(
        [margins[:, None], _log_odds(_confidences(facts)) - _log_odds(np.array(0.0))], axis=1
    )


def evidence(raw: NDArray[np.floating], facts: Floats, pool: Floats) -> Floats:
    """What the trees see, shape (N, len(EVIDENCE)), of logits (N, 6), facts (N, len(FACTS)) and the pool's
    logits (N, 6)."""
    raw = np.asarray(raw, dtype=np.float64)
    margins, odds = raw[:, 1:] - raw[:, :1], _log_odds(_confidences(facts))
    first = np.sort(margins, axis=1)[:, :-3:-1]
    rules = [odds[:, 0], odds[:, 1], odds.max(axis=2)]
    return np.concatenate([first, margins, *rules, of_any(pool)[:, None], facts[:, :-_RULES]], axis=1)


def of_any(pool: Floats) -> Floats:
    """The log-odds of any defect, shape (N,), of logits (N, 6) of which that of pass is 0."""
    with np.errstate(invalid="ignore"):  # rows that are no numbers stay so
        found: Floats = np.logaddexp.reduce(pool[:, 1:], axis=1)
    return found


def pooled(said: Floats, encoder: float, rules: Floats, notes: float, bias: Floats) -> Floats:
    """Logits, shape (N, 6), that of pass being 0, of `features` under these weights; `rules` and `bias` have
    shape (5,)."""
    found = np.zeros((len(said), len(LABELS)))
    found[:, 1:] = encoder * said[:, 0] + rules * said[:, 1] + notes * said[:, 2] + bias
    return found


def _confidences(facts: Floats) -> Floats:
    """Those of the rules, shape (N, 2, 5): of findings that fail the claim, and of notes."""
    return facts[:, -_RULES:].reshape(-1, 2, len(ErrorClass))


def _log_odds(confidence: Floats) -> Floats:
    bounded = np.clip(confidence, FAINTEST, SUREST)
    found: Floats = np.log(bounded / (1 - bounded))
    return found
