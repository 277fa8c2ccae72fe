"""What stands before the noun of a phrase: "the other two", "at least one of the", "a plurality of".

Each word that may open a phrase has a function that says what it makes of the phrase.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from operator import itemgetter
from typing import Final

from ace.claims.language.lexicon import (
    COLLECTIVE,
    COLLECTIVE_PLURAL,
    DEFINITE,
    DEMONSTRATIVE,
    INDEFINITE,
    INNER,
    NUMERALS,
    QUANTIFIERS,
    SUCH_MEASURES,
    UNITS,
)
from ace.claims.language.word_classes import OUTSIDE, WordClass, word_class_of
from ace.claims.language.words import Word


class Determiner(IntEnum):
    """What stands before the noun."""

    NONE = 0
    INDEFINITE = 1  # "a", "another"
    NUMBER = 2  # "two", "a plurality of", "at least one", "one or more"
    EACH = 3  # "each", "every", "any", "no", "some"; possessives
    THE = 4
    SAID = 5
    THESE = 6


# Python 3.11 is slow to reach a member of an enum by name.
_NONE: Final = Determiner.NONE
_INDEFINITE: Final = Determiner.INDEFINITE
_NUMBER: Final = Determiner.NUMBER
_THE: Final = Determiner.THE

_PAST_THE_END: Final = "..."
"""Marks after the last word, as many as are looked ahead."""


class Opening:
    """The determiners of a phrase as far as they are read: lowers[begin:at]. A few marks follow the last
    word, so that one may look ahead."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.lowers: tuple[str, ...] = (*map(itemgetter(0), words), *_PAST_THE_END)
        self.ends = tuple(map(itemgetter(2), words))
        self.kinds = tuple(map(word_class_of, self.lowers))
        self.begin = self.at = 0
        self.determiner = Determiner.NONE
        self.several = False

    def begins(self, at: int, *, determined: bool) -> bool:
        """Whether a phrase begins here, with determiners or without."""
        self.begin = self.at = at
        self.determiner, self.several = _NONE, False
        return not determined or _determine(self)

    def word(self, ahead: int = 0) -> str:
        """The lower-case word so far ahead; "." past the end."""
        return self.lowers[self.at + ahead]

    def make(self, determiner: Determiner, several: bool | None = None) -> bool:
        """Takes the word at hand as a determiner that is at least so strong."""
        if determiner > self.determiner:
            self.determiner = determiner
        if several is not None:
            self.several = several
        return True


def _open_definite(opening: Opening) -> bool:
    if opening.at > opening.begin and opening.lowers[opening.at - 1] == "of":
        opening.begin = opening.at
    return opening.make(Determiner.SAID if opening.word() == "said" else _THE, several=False)


def _open_demonstrative(opening: Opening) -> bool:
    return opening.make(Determiner.THESE, several=True)


def _open_such(opening: Opening) -> bool:
    """ "such pins", "each such pin", "such a pin"; not "such as", "such that" and "such a manner"."""
    if opening.word(1) in {"a", "an"}:
        if opening.word(2) in SUCH_MEASURES or opening.kinds[opening.at + 2] in OUTSIDE:
            return False
        opening.at += 1
        return opening.make(_THE)
    return opening.kinds[opening.at + 1] not in OUTSIDE and opening.make(_THE)


def _open_inner(opening: Opening) -> bool:
    """ "the other pin", "the only pin"."""
    return opening.determiner >= _THE and opening.lowers[opening.at - 1] != "of"


def _open_indefinite(opening: Opening) -> bool:
    if opening.determiner >= _THE:
        return False
    opening.determiner = _INDEFINITE
    return True


def _open_quantified(opening: Opening) -> bool:
    if opening.determiner >= _THE:
        return False
    opening.determiner = Determiner.EACH
    return True


def _open_counted(opening: Opening) -> bool:
    return opening.make(_NUMBER, several=True)


def _open_digits(opening: Opening) -> bool:
    """ "the 3 pins"; not "the 3 mm" and not a reference numeral."""
    counts = opening.kinds[opening.at + 1] is WordClass.OPEN and opening.word(1) not in UNITS
    return opening.determiner >= _THE and counts and _open_counted(opening)


def _open_one(opening: Opening) -> bool:
    """ "one", "one or more"."""
    if (opening.word(1), opening.word(2)) != ("or", "more"):
        return opening.make(_NUMBER)
    opening.at += 2
    return opening.make(_NUMBER, several=True)


def _open_at_least(opening: Opening) -> bool:
    if opening.word(1) != "least":
        return False
    opening.at += 1
    return True


def _open_following(opening: Opening) -> bool:
    """ "the following steps" introduces them."""
    if opening.determiner is not _THE:
        return False
    opening.determiner = Determiner.NUMBER
    return True


OPENERS: Final[dict[str, Callable[[Opening], bool]]] = {
    **dict.fromkeys(DEFINITE, _open_definite),
    **dict.fromkeys(DEMONSTRATIVE, _open_demonstrative),
    **dict.fromkeys(INDEFINITE, _open_indefinite),
    **dict.fromkeys(NUMERALS, _open_counted),
    **dict.fromkeys(QUANTIFIERS, _open_quantified),
    **dict.fromkeys(INNER, _open_inner),
    "such": _open_such,
    "one": _open_one,
    "at": _open_at_least,
    "following": _open_following,
}
"""What each word that may open a phrase makes of it; false if it opens none where it stands."""


def _open_collective(opening: Opening) -> bool:
    """Takes "plurality of" and the like. False for "the number of", which is a phrase of its own."""
    word = opening.word()
    if not opening.determiner or opening.word(1) != "of":
        return True
    if word == "number" and opening.determiner >= _THE:
        return False
    opening.at += 2
    return opening.make(_NUMBER, opening.several or word in COLLECTIVE_PLURAL)


def _determine(opening: Opening) -> bool:
    """Takes the determiners at hand; false if no noun follows them. "each of the pins" begins at "the"."""
    lowers = opening.lowers
    while True:
        word = lowers[opening.at]
        opens = OPENERS.get(word) or (_open_digits if word.isdigit() else None)
        if opens is None or not opens(opening):
            break
        opening.at += 1
        if lowers[opening.at] in COLLECTIVE and not _open_collective(opening):
            break
    return opening.determiner is not _NONE and opening.kinds[opening.at] not in OUTSIDE
