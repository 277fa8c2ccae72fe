"""Combining marks, of which a hostile text has thousands on one letter.

To normalise a text is to sort the marks of each letter, which `unicodedata.normalize` does in a number of
steps that grows with the square of their count, while nothing else in the process runs. So readers leave out
what is beyond the limit of the Unicode standard, and `nfc` is safe for any text, one that was stored before
included.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import Final

MAX_MARKS: Final = 30
"""In a row: what the Stream-Safe Text Format allows (UAX #15, section 13). No language comes near it."""


def excess_marks(text: str) -> list[tuple[int, int]]:
    """The spans of the marks beyond the first `MAX_MARKS` of each row."""
    return [(start + MAX_MARKS, end) for start, end in _long_rows(text)]


def nfc(text: str) -> str:
    """The text in normalisation form C, in time that grows with its length and not with its square."""
    parts: list[str] = []
    done = 0
    for start, end in _long_rows(text):
        decomposed = "".join(unicodedata.normalize("NFD", mark) for mark in text[start:end])
        parts += text[done:start], "".join(sorted(decomposed, key=unicodedata.combining))
        done = end
    return unicodedata.normalize("NFC", "".join([*parts, text[done:]]))


def _long_rows(text: str) -> list[tuple[int, int]]:
    """The spans of rows of more than `MAX_MARKS` marks."""
    marks = frozenset() if text.isascii() else frozenset(filter(_is_mark, set(text)))
    if not marks:
        return []
    found: list[tuple[int, int]] = []
    at = 0
    for are_marks, row in groupby(text, marks.__contains__):
        length = sum(1 for _ in row)
        if are_marks and length > MAX_MARKS:
            found.append((at, at + length))
        at += length
    return found


def _is_mark(character: str) -> bool:
    """Whether normalisation moves it: some characters are made of marks alone without being called one."""
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0
