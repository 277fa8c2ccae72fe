"""What the encoder reads: the claim, the hints of the rules about it, and its ancestors.

Here are only texts; tokens.py cuts them to the model's length.
"""

from dataclasses import dataclass
from typing import NamedTuple

from ace.claims.model import ClaimInput
from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.hints import hints

__all__ = ["CHAIN_CHARACTERS", "ClaimInput", "Shown", "ShownClaim", "as_shown", "show"]

CHAIN_CHARACTERS = 16_000
"""The maximum of the ancestors' texts. The encoder reads some hundred tokens of it, the rules read all."""


class Shown(NamedTuple):
    """The texts of one claim: "<number>. <text>"; the hints of the rules, or ""; the ancestors, nearest
    first, or ""."""

    own: str
    hints: str
    chain: str


@dataclass(frozen=True, slots=True)
class ShownClaim(ClaimInput):
    """A claim whose texts, with hints, were already made elsewhere: by `show`."""

    shown: Shown | None = None


def show(claim: ClaimInput) -> Shown:
    """The texts for a model that was trained with hints."""
    return as_shown(claim, with_hints=True)


def as_shown(claim: ClaimInput, *, with_hints: bool) -> Shown:
    """The texts for a model that was trained with hints, or without."""
    if with_hints and isinstance(claim, ShownClaim) and claim.shown is not None:
        return claim.shown
    own = f"{claim.number}. {canonical(claim.text)}"
    chain = " ".join(canonical(ancestor) for ancestor in claim.ancestors)
    return Shown(own, canonical(hints(claim)) if with_hints else "", chain)
