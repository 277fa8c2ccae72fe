"""What the encoder reads: the claim, the hints of the rules about it, and its ancestors.

Here are only texts; tokens.py cuts them to the model's length.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from ace.claims.analysis import analysis_of
from ace.claims.chains import BrokenChain
from ace.claims.model import ClaimInput
from ace.gatekeeper.canonical import canonical
from ace.gatekeeper.hints import hints

__all__ = ["CHAIN_CHARACTERS", "ClaimInput", "Shown", "as_shown"]

CHAIN_CHARACTERS: Final = 16_000
"""The maximum of the ancestors' texts. The encoder reads some hundred tokens of it."""

Spell = Callable[[str], str]


class Shown(NamedTuple):
    """The texts of one claim: "<number>. <text>"; the hints of the rules, or ""; the ancestors, nearest
    first, or ""."""

    own: str
    hints: str
    chain: str


def as_shown(claim: ClaimInput, *, with_hints: bool, spell: Spell = canonical) -> Shown:
    """The texts for a model that was trained with hints, or without. `spell` is `canonical`, which may keep
    what it made of a text: claims of a filing share ancestors."""
    own = f"{claim.number}. {spell(claim.text)}"
    chain = " ".join(map(spell, claim.ancestors))
    return Shown(own, canonical(_hints(claim)) if with_hints else "", chain)


def _hints(claim: ClaimInput) -> str:
    """The hints; "" if the chain cannot be read."""
    try:
        return hints(analysis_of(claim))
    except BrokenChain:
        return ""
