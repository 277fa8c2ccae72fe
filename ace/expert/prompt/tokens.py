"""An estimate of a text's tokens, which the structural examiner stays within and its server reports."""

from __future__ import annotations

import re
from typing import Final

TOKEN: Final = re.compile(r"\w{1,6}|[^\w\s]|\s{2,}")
"""Roughly one token of a byte-pair vocabulary."""


def count_tokens(text: str) -> int:
    """Roughly the number of tokens that a byte-pair vocabulary makes of the text."""
    return sum(1 for _ in TOKEN.finditer(text))
