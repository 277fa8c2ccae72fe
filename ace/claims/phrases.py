"""Words of a claim and its definite noun phrases ("the drive shaft", "said sensors").

A shallow reading without a tagger: where a phrase ends is guessed from the words around it, and
the guess is made so that a mistake shortens the phrase. No judgement is made here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ace.claims.vocabulary import ADVERBS, CLOSED, FINITE, NOUNS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|[0-9]+|[^\s\w]", re.UNICODE)
_DEFINITE = frozenset({"the", "said"})

_LONGEST = 7


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark: text[start:end], and its lower case."""

    lower: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DefinitePhrase:
    """ "the" or "said" with what it determines. `words` are lower case, the head last.

    `start` and `end` cover the determiner too; `after` is the word or mark that follows.
    """

    words: tuple[str, ...]
    start: int
    end: int
    after: str


def words_of(text: str) -> list[Word]:
    """Words and marks in order; hyphenated words come apart at the hyphen."""
    return [Word(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text)]


def definite_phrases(words: list[Word]) -> Iterator[DefinitePhrase]:
    """Every definite noun phrase in order."""
    for index, word in enumerate(words):
        if word.lower not in _DEFINITE:
            continue
        first = index + 1
        if first < len(words) and words[first].lower in _DEFINITE:
            continue
        last = _extent(words, first)
        if last > first:
            inner = tuple(each.lower for each in words[first:last] if each.lower.isalnum())
            after = words[last].lower if last < len(words) else ""
            yield DefinitePhrase(inner, word.start, words[last - 1].end, after)


def _extent(words: list[Word], first: int) -> int:
    """Index after the last word of the phrase that begins at `first`."""
    last = first
    while last < len(words) and last - first < _LONGEST:
        lower = words[last].lower
        if lower == "-" and last > first and words[last].start == words[last - 1].end:
            last += 1
            continue
        if not lower.isalnum() or lower in CLOSED or not lower[0].isalpha():
            break
        if last > first and _ends_phrase(words, last):
            break
        last += 1
    while last > first and words[last - 1].lower == "-":
        last -= 1
    return last


def _ends_phrase(words: list[Word], index: int) -> bool:
    """Whether the word at `index` is a verb or an adverb after the noun, rather than a noun."""
    lower = words[index].lower
    if words[index - 1].lower == "-":
        return False
    if lower in NOUNS:
        return False
    following = words[index + 1].lower if index + 1 < len(words) else ""
    if lower.endswith("ly") or lower in FINITE:
        return True
    if lower in ADVERBS:
        return following in CLOSED or not following.isalpha()
    if lower.endswith(("ed", "ing")):
        return following in CLOSED or not following.isalpha()
    return lower.endswith("s") and following in {"a", "an", "the", "said", "at", "to"}
