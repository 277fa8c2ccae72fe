"""Words that fit into a box of the drawn graph, whose font is set in Helvetica or one as wide."""

from __future__ import annotations

import unicodedata
from typing import Final

from ace.claims.reports.text import visible

SIZE: Final = 12
"""The size of the font, in user units."""

# Widths in thousandths of the size, as in Adobe's font metrics of Helvetica, rounded up by groups.
_WIDTHS: Final = {
    **dict.fromkeys("ijl'|.,:;!’‘", 280),
    **dict.fromkeys('ftrI()[]{}/\\-“”" ', 360),
    **dict.fromkeys("ckvxyzsJ", 500),
    **dict.fromkeys("ABCDEGHKNOPQRSTUVXYZ&w", 780),
    **dict.fromkeys("mM", 840),
    **dict.fromkeys("W@%…→", 1_020),
}
_OTHER: Final = 560
_BOLD: Final = 1.08
_WIDER: Final = 1.12  # where neither Helvetica nor a font of its widths is installed
_LONGEST: Final = 200  # characters that are measured at most: more never fit


def fitted(words: str, width: float, *, bold: bool = False) -> str:
    """As many of the words as fit into `width` user units, on one line; an ellipsis marks a cut."""
    line = visible(" ".join(words[: 2 * _LONGEST].split()))
    room = 1_000 * width / SIZE / _WIDER / (_BOLD if bold else 1)
    if sum(map(_width_of, line[:_LONGEST])) <= room and len(line) <= _LONGEST:
        return line
    room -= _width_of("…")
    for place, character in enumerate(line):
        room -= _width_of(character)
        if room < 0:
            return line[:place].rstrip() + "…"
    return line


def _width_of(character: str) -> int:
    if (known := _WIDTHS.get(character)) is not None:
        return known
    if unicodedata.category(character) in {"Mn", "Me"}:
        return 0
    wide = unicodedata.east_asian_width(character) in "WF" or not character.isascii()
    return 1_000 if wide else _OTHER
