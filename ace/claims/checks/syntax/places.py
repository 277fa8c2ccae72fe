"""A word of a claim with its neighbours, and what to look at behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ace.claims.checks.syntax.rules import RULE
from ace.claims.findings import Fix, Flaw
from ace.claims.language.words import Word


class Place(NamedTuple):
    """A word of a claim, words[at], and what follows it with no mark between."""

    text: str
    words: Sequence[Word]
    at: int

    def word(self, ahead: int = 0) -> str:
        """The lower-case word so far ahead or, if negative, behind; "" past the ends."""
        at = self.at + ahead
        return self.words[at].lower if 0 <= at < len(self.words) else ""

    def written(self, ahead: int) -> str:
        """The word so far ahead as it is written."""
        word = self.words[self.at + ahead]
        return self.text[word.start : word.end]

    def flaw(self, why: str, signal: str, last: int = 1, fix: Fix | None = None) -> Flaw:
        """What is wrong with this word and those after it, up to the one so far ahead."""
        start, end = self.words[self.at].start, self.words[self.at + last].end
        return Flaw(RULE["ungrammatical"], start, end, why, fix, (signal,))


class Look(NamedTuple):
    """What to look at behind a word: `at` is asked if the next word is one of `seconds` or begins with one of
    `letters`, if given."""

    at: Callable[[Place], Flaw | None]
    seconds: frozenset[str] = frozenset()
    letters: str = ""

    def may_find(self, second: str) -> bool:
        """Whether the next word may be wrong."""
        return (not self.seconds or second in self.seconds) and (
            not self.letters or second[0] in self.letters
        )
