"""How a word may stand in a noun phrase, by the lists and by its spelling."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from ace.claims.language.lexicon import (
    ADVERBS,
    AFTER_NOUN,
    CLOSED,
    FINITE,
    IRREGULAR,
    MAYBE_FINITE,
    NOT_LY,
    NOUN_VERBS,
    NOUNS_ED,
    NOUNS_ING,
    ORDINALS,
    VERBS,
)


class WordClass(IntEnum):
    """How a word may stand in a noun phrase."""

    OPEN = 0
    CLOSED = 1
    MARK = 2
    NUMBER = 3
    LY = 4
    PARTICIPLE = 5
    ING = 6
    FINITE = 7
    MAYBE_FINITE = 8
    VERB = 9
    NOUN_VERB = 10
    AFTER_NOUN = 11
    ORDINAL = 12
    OWNER = 13  # "the user's"
    GLUED = 14  # "devicewherein", where a line break was lost


PARTICIPIAL: Final = frozenset({WordClass.PARTICIPLE, WordClass.ING, WordClass.AFTER_NOUN})
"""Classes of words that qualify a noun as a participle does."""


class _WordClasses(dict[str, WordClass]):
    """Worked out once for each word; bounded, as words come from outside."""

    def __missing__(self, word: str) -> WordClass:
        if len(self) > 50_000:
            self.clear()
        kind = self[word] = _kind(word)
        return kind


def _kind(word: str) -> WordClass:
    for kind, members in _LISTED:
        if word in members:
            return kind
    if not word[0].isalpha():
        # "3d" and "2,4-dichloro" open a name; "12", "1.5" and "12a" number something.
        if not word[0].isdigit():
            return WordClass.MARK
        return WordClass.OPEN if "-" in word else WordClass.NUMBER
    if word.endswith(_GLUED) and len(word) > 9:
        return WordClass.GLUED
    if "-" in word:
        return WordClass.OPEN
    for kind, endings, length, exceptions in _ENDING:
        if word.endswith(endings) and len(word) >= length and word not in exceptions:
            return kind
    return WordClass.OPEN


_LISTED: Final = (
    (WordClass.CLOSED, CLOSED),
    (WordClass.ORDINAL, ORDINALS),
    (WordClass.PARTICIPLE, IRREGULAR),
    (WordClass.FINITE, FINITE),
    (WordClass.MAYBE_FINITE, MAYBE_FINITE),
    (WordClass.AFTER_NOUN, AFTER_NOUN | ADVERBS),
    (WordClass.VERB, VERBS),
    (WordClass.NOUN_VERB, NOUN_VERBS),
)
_ENDING: Final[tuple[tuple[WordClass, tuple[str, ...], int, frozenset[str]], ...]] = (
    (WordClass.OWNER, ("'s", "’s"), 3, frozenset()),
    (WordClass.LY, ("ly",), 3, NOT_LY),
    (WordClass.ING, ("ing",), 5, NOUNS_ING),
    (WordClass.PARTICIPLE, ("ed",), 4, NOUNS_ED),
    (WordClass.AFTER_NOUN, ("able", "ible"), 7, frozenset()),
)
_GLUED: Final = ("wherein", "whereby")
WORD_CLASSES: Final = _WordClasses()
"""The class of each lower-case word or mark."""


word_class_of = WORD_CLASSES.__getitem__
"""How a lower-case word or mark may stand in a noun phrase."""


OUTSIDE: Final = frozenset({WordClass.CLOSED, WordClass.MARK, WordClass.NUMBER})
"""Classes of words that never stand in a noun phrase."""
