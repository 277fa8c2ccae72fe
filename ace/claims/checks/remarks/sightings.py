"""What a remark is about: a span of one claim, and the rule that noticed it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ace.claims.rules import RemarkRule


class Sighting(NamedTuple):
    """text[start:end] of the claim, in code points."""

    rule: RemarkRule
    start: int
    end: int


_STRONG: Final = re.compile(r"\b(?:compris|consist)\w*|:")
_WEAK: Final = re.compile(r"\b(?:includ\w+|contain\w+|having|has|wherein|whereby|characteri[sz]ed)\b")


def preamble_end(text: str) -> int:
    """Where the transition begins; the end of the text if there is none (MPEP 2111.02, 2111.03)."""
    found = _STRONG.search(text) or _WEAK.search(text)
    return found.start() if found else len(text)
