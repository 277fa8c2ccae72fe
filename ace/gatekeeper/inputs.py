"""What the encoder is shown of a claim: the claim, what the rules see in it, and its ancestors.

Cutting to the model's length is the engines' business (tokens.py); here are only texts.
"""

from typing import NamedTuple

from ace.claims.model import ClaimInput
from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.hints import hints

__all__ = ["CHAIN_CHARACTERS", "ClaimInput", "Shown", "as_shown"]

CHAIN_CHARACTERS = 16_000
"""Of the ancestors' texts: the encoder reads the nearest some hundred tokens, the rules all of it."""


class Shown(NamedTuple):
    """The texts of one claim: "<number>. <text>"; what the rules say, or ""; the ancestors nearest
    first, or ""."""

    own: str
    hints: str
    chain: str


def as_shown(claim: ClaimInput, *, with_hints: bool) -> Shown:
    """What a model is shown that was trained with hints, or without."""
    own = f"{claim.number}. {canonical(claim.text)}"
    chain = " ".join(canonical(ancestor) for ancestor in claim.ancestors)
    return Shown(own, canonical(hints(claim)) if with_hints else "", chain)
