"""Where quoted words are in a claim, and whether two quotations mean the same place.

Quotations differ from the claim in quotes, dashes, spacing, case, and in words broken over lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_DETERMINER = re.compile(r"^(?:(?:the|said|an?|each|this|these|those|its|their)\s+)+", re.IGNORECASE)
_ELLIPSIS = re.compile(r"\.\s?\.\s?\.|…|\[\s*\]")
_NOT_WORD = re.compile(r"[^0-9a-z]+")
_SHORT_WORDS = 4


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Where the words of `quote` first stand in `text`, [start:end] in code points; None if nowhere.

    Of a quotation with left-out words the longest run; the determiner may be missing.
    """
    letters = _letters(text)
    for words in (quote, *sorted(_ELLIPSIS.split(quote), key=len, reverse=True)[:1], bare(quote)):
        found = next(_places(words, text, *letters), None)
        if found is not None:
            return found
    return None


def _places(words: str, text: str, letters: str, offsets: list[int]) -> Iterator[tuple[int, int]]:
    wanted, _ = _letters(words)
    at = letters.find(wanted) if wanted else -1
    while at >= 0:
        start, end = offsets[at], offsets[at + len(wanted) - 1] + 1
        if _at_edges(text, start, end):
            yield start, end
        at = letters.find(wanted, at + 1)


def _at_edges(text: str, start: int, end: int) -> bool:
    return not (start and text[start - 1].isalnum()) and not text[end : end + 1].isalnum()


def _letters(text: str) -> tuple[str, list[int]]:
    """Letters and digits in lower case, and where each stands."""
    found = [(lower, at) for at, each in enumerate(text) if each.isalnum() for lower in each.lower()]
    return "".join(letter for letter, _ in found), [at for _, at in found]


def bare(quote: str) -> str:
    """The words without the determiners before them."""
    return _DETERMINER.sub("", quote.strip())


def words_of(quote: str) -> list[str]:
    """Words in lower case, without determiner."""
    return [word for word in _NOT_WORD.split(bare(quote).lower()) if word]


def overlap(one: str, other: str, text: str) -> bool:
    """Whether two quotations of a claim mean the same words, determiners aside.

    They do where some places of them in `text` overlap. Of two short phrases the last word must be the
    same too: "the valve" and "the valve seat" overlap, but are two things. A quotation that does not
    stand in the claim is compared word by word: one must hold the other.
    """
    first, second = words_of(one), words_of(other)
    if not first or not second or not _same_head(first, second):
        return False
    letters = _letters(text)
    here, there = (list(_places(bare(words), text, *letters)) for words in (one, other))
    if here and there:
        return any(a[0] < b[1] and b[0] < a[1] for a in here for b in there)
    short, long = sorted((first, second), key=len)
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))


def _same_head(first: list[str], second: list[str]) -> bool:
    short = max(len(first), len(second)) <= _SHORT_WORDS
    return not short or first[-1].rstrip("s") == second[-1].rstrip("s")
