"""Step 1 of the Chain of Patent Thought: preamble, transition and limbs of a claim, as they stand.

This only splits the text (MPEP 2111.02 on preambles, 2111.03 on transitional phrases).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_OPEN: Final = r"compris(?:ing|es|ed\s+of)|includ(?:ing|es)|contain(?:ing|s)|composed\s+of"
_CLOSED: Final = r"consist(?:ing|s)(?:\s+essentially)?\s+of"
_STRONG: Final = re.compile(
    rf"\b(?:further\s+)?(?:{_OPEN}|{_CLOSED}|characteri[sz]ed\s+(?:in\s+that|by))\b", re.IGNORECASE
)
_ANY: Final = re.compile(
    rf"{_STRONG.pattern}|\b(?:having|has|wherein|in\s+which|whereby|which)\b", re.IGNORECASE
)
_LIMB_END: Final = re.compile(r";\s*(?:(?:and|or)\b\s*)?|\n\s*(?:(?:and|or)\b\s*)?")
_EDGES: Final = " ,:;.\n\t"


@dataclass(frozen=True, slots=True)
class Elements:
    """The parts of a claim. If no transition is recognised, `transition` is None and all is preamble."""

    preamble: str
    transition: str | None
    limbs: tuple[str, ...]


def elements(text: str, *, dependent: bool) -> Elements:
    """The parts of a claim's text.

    An independent claim may say "having" in its preamble, so "comprising" is preferred to it; what a
    dependent claim adds begins at whichever comes first.
    """
    match = _ANY.search(text) if dependent else _STRONG.search(text) or _ANY.search(text)
    if match is None:
        return Elements(text.strip(_EDGES), None, ())
    limbs = (limb.strip(_EDGES) for limb in _LIMB_END.split(text[match.end() :]))
    return Elements(text[: match.start()].strip(_EDGES), match.group(), tuple(limb for limb in limbs if limb))
