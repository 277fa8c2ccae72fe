"""What the text read so far can serve as antecedent basis for: words, their variants, and counts.

Lenient on purpose: a word of the same stem or the same beginning counts as an introduction, so
that "the rotation" rests on "rotating" and "the sensors" on "a sensor".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ace.claims.phrases import Word, words_of
from ace.claims.vocabulary import NOMINAL, NUMERALS, ORDINALS, PLURALS

_COUNTED_WITHIN = 8


class Basis:
    """The words of the ancestors, and of the claim itself up to a point that moves forward.

    `stems` are the words met so far; `counted` pairs an ordinal with each of the few stems after it.
    """

    def __init__(self, ancestors: Iterable[str], words: list[Word], text: str) -> None:
        self._words = words
        self._text = text.lower()
        self._read = 0
        self._recent: list[tuple[int, str]] = []
        self._own_end = 0
        self.stems: set[str] = set()
        self.counted: set[tuple[str, str]] = set()
        self._inherited: list[str] = []
        for ancestor in ancestors:
            stems, counted, lowered = _introduced_by(ancestor)
            self.stems |= stems
            self.counted |= counted
            self._inherited.append(lowered)

    def read_to(self, end: int) -> None:
        """Takes in the claim's own words that stand before the offset `end`."""
        while self._read < len(self._words) and self._words[self._read].start < end:
            self._take(self._words[self._read].lower)
            self._read += 1
        self._own_end = end

    def knows(self, word: str) -> bool:
        """Whether the word, its plural, or a word with the same beginning has occurred."""
        stemmed = stem(word)
        if len(stemmed) == 1 or stemmed in self.stems:
            return True
        return len(stemmed) >= 5 and self._occurs(_beginning(stemmed))

    def counts(self, ordinal: str, word: str) -> bool:
        """Whether the ordinal stood shortly before the word, or enough of them in the plural."""
        stemmed = stem(word)
        if (ordinal, stemmed) in self.counted:
            return True
        enough = ordinal in {"first", "second"} or not self.stems.isdisjoint(NUMERALS)
        return enough and self._occurs(plural(stemmed))

    def _occurs(self, piece: str) -> bool:
        if self._text.find(piece, 0, self._own_end) >= 0:
            return True
        return any(piece in text for text in self._inherited)

    def _take(self, lower: str) -> None:
        self.stems.add(stem(lower))
        if lower in ORDINALS:
            self._recent.append((self._read, lower))
        elif self._recent:
            self._recent = [r for r in self._recent if self._read - r[0] <= _COUNTED_WITHIN]
            self.counted.update((ordinal, stem(lower)) for _, ordinal in self._recent)


@lru_cache(maxsize=128)
def _introduced_by(text: str) -> tuple[frozenset[str], frozenset[tuple[str, str]], str]:
    basis = Basis((), words_of(text), text)
    basis.read_to(len(text))
    return frozenset(basis.stems), frozenset(basis.counted), text.lower()


def _beginning(stemmed: str) -> str:
    """The part of a noun that its verb shares: "measure" of "measurement"."""
    for suffix in NOMINAL:
        if stemmed.endswith(suffix) and len(stemmed) - len(suffix) >= 4:
            root = stemmed[: -len(suffix)]
            return root[: max(4, len(root) - 1)]
    return stemmed[: max(5, len(stemmed) * 2 // 3)]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Singular of a lower-case noun, near enough to match it with its plural."""
    if word in PLURALS:
        return PLURALS[word]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(singular: str) -> str:
    """The regular plural of a lower-case singular."""
    if singular.endswith("y") and len(singular) > 2 and singular[-2] not in "aeiou":
        return singular[:-1] + "ies"
    return singular + ("es" if singular.endswith(("s", "x", "z", "ch", "sh")) else "s")
