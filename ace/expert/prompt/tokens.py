"""Tokens of a text, estimated: what the structural examiner keeps to and what its server counts."""

from __future__ import annotations

import re

TOKEN = re.compile(r"\w{1,6}|[^\w\s]|\s{2,}")
"""About what a byte-pair vocabulary makes one token of."""


def count_tokens(text: str) -> int:
    """About as many tokens as a byte-pair vocabulary would make of the text."""
    return sum(1 for _ in TOKEN.finditer(text))
