"""Patterns for any of many terms. They branch by letter, so that more terms take no more time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_Tree = dict[str, "_Tree"]
_END: Final = ""


def alternatives(terms: Iterable[str], letters: Mapping[str, str]) -> str:
    """A pattern for any of the terms, the longest that fits; `letters` are patterns for some letters."""
    root: _Tree = {}
    for term in terms:
        node = root
        for letter in term:
            node = node.setdefault(letter, {})
        node[_END] = {}
    return _branches(root, letters)


def _branches(node: Mapping[str, _Tree], letters: Mapping[str, str]) -> str:
    below = [
        letters.get(letter, re.escape(letter)) + _branches(node[letter], letters)
        for letter in sorted(node)
        if letter
    ]
    if not below:
        return ""
    joined = below[0] if len(below) == 1 and _END not in node else f"(?:{'|'.join(below)})"
    return f"{joined}?" if _END in node else joined
