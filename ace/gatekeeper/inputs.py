"""What the encoder is shown of a claim: the claim, and the claims that it depends on.

Cutting to the model's length is the engines' business (tokens.py); here are only texts.
"""

from ace.claims.model import ClaimInput
from ace.gatekeeper.canonical import canonical

__all__ = ["ClaimInput", "as_pair"]


def as_pair(claim: ClaimInput) -> tuple[str, str]:
    """The two segments: "<number>. <text>", and the ancestors nearest first ("" where none)."""
    own = f"{claim.number}. {canonical(claim.text)}"
    return own, " ".join(canonical(ancestor) for ancestor in claim.ancestors)
