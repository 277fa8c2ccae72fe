"""What is known of claims besides their text, as numbers: what the rules found, and how long and how linked a
claim is."""

from collections.abc import Sequence
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ace.claims.analysis import ClaimAnalysis, analysis_of
from ace.claims.chains import BrokenChain
from ace.claims.model import ClaimInput
from ace.claims.references.graph import Basis
from ace.claims.taxonomy import ErrorClass
from ace.routing.scores import FACTS

_EXACT: Final = frozenset({Basis.EXPLICIT, Basis.INHERITED})
_INEXACT: Final = frozenset(
    {Basis.NUMBER_SHIFT, Basis.INHERENT, Basis.DERIVED, Basis.ABBREVIATION, Basis.HEAD_MATCH}
)
_PLACES: Final = {each: at for at, each in enumerate(ErrorClass)}
_UNKNOWN: Final = ClaimAnalysis()


def rule_confidences(claims: Sequence[ClaimInput]) -> NDArray[np.float64]:
    """The confidence of the likeliest finding of each class, shape (N, 2, 5): of those that fail the claim,
    and of notes. 0 without one, and for a claim that could not be analysed."""
    found = np.zeros((len(claims), 2, len(ErrorClass)))
    for row, claim in zip(found, claims, strict=True):
        for each in _known(claim).findings:
            at = int(not each.fails), _PLACES[each.error_class]
            row[at] = max(row[at], each.confidence)
    return found


def claim_facts(claims: Sequence[ClaimInput]) -> NDArray[np.float64]:
    """What a learned doubt knows of the claims, shape (N, len(FACTS))."""
    texts = np.array([_of_text(claim) for claim in claims], dtype=np.float64)
    rules = rule_confidences(claims)
    return np.concatenate([texts, rules[:, 0], rules[:, 1]], axis=1) if claims else np.zeros((0, len(FACTS)))


def _of_text(claim: ClaimInput) -> tuple[float, ...]:
    bases = [each.basis for each in _known(claim).phrases]
    exact, inexact = sum(each in _EXACT for each in bases), sum(each in _INEXACT for each in bases)
    return (
        log1p(len(claim.text)),
        claim.text.count(","),
        claim.text.count(";"),
        len(claim.ancestors),
        exact,
        inexact,
        len(bases) - exact - inexact,
    )


def _known(claim: ClaimInput) -> ClaimAnalysis:
    try:
        return analysis_of(claim)
    except BrokenChain:
        return _UNKNOWN
