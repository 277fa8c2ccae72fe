"""Noun phrases of a claim, read without a tagger: where each begins and ends, and what determines it.

A phrase is a run of words between words that never stand in one. Where a run may hold a verb
("the module queries"), every place to cut it is told, and resolution takes the cut that makes sense.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from ace.claims.language.lexicon import (
    ADVERBS,
    AFTER_NOUN,
    ARTICLES,
    CLOSED,
    COLLECTIVE,
    COLLECTIVE_PLURAL,
    DEFINITE,
    DEMONSTRATIVE,
    FINITE,
    INDEFINITE,
    IRREGULAR,
    MAYBE_FINITE,
    NOT_LY,
    NOUN_VERBS,
    NOUNS_ED,
    NOUNS_ING,
    NUMERALS,
    OBJECT_OPENERS,
    ORDINALS,
    QUANTIFIERS,
    UNITS,
    VERBS,
)
from ace.claims.language.words import RECENT, Word, is_plural, words_of

_LONGEST = 12
_FORTH = frozenset({"forth", "out"})


class Determiner(IntEnum):
    """What stands before the noun."""

    NONE = 0
    INDEFINITE = 1  # "a", "another"
    NUMBER = 2  # "two", "a plurality of", "at least one", "one or more"
    EACH = 3  # "each", "every", "any", "no", "some"; possessives
    THE = 4
    SAID = 5
    THESE = 6


class Kind(IntEnum):
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


class Phrase(NamedTuple):
    """One noun phrase: text[start:end] with its determiner; words[first:last] of the claim without.

    `words` are lower case and lack numerals and adverbs; `cuts` are the numbers of words after which
    the phrase may end instead, longest first; `ends` where it ends in the text for each number of words.
    `numeral` is a reference numeral after it, `after` the word or mark that follows, at words[last].
    """

    determiner: Determiner
    start: int
    first: int
    last: int
    words: tuple[str, ...]
    ends: tuple[int, ...]
    cuts: tuple[int, ...]
    several: bool
    numeral: str

    @property
    def definite(self) -> bool:
        """Whether it speaks of something known."""
        return self.determiner >= Determiner.THE

    @property
    def end(self) -> int:
        """Where the whole phrase ends in the text."""
        return self.ends[-1]


phrase_first = attrgetter("first")


class _Kinds(dict[str, Kind]):
    """Kind of each lower-case word, worked out once; bounded, as words come from outside."""

    def __missing__(self, word: str) -> Kind:
        if len(self) > 50_000:
            self.clear()
        kind = self[word] = _kind(word)
        return kind


def _kind(word: str) -> Kind:
    for kind, members in _LISTED:
        if word in members:
            return kind
    if not word[0].isalpha():
        # "3d" and "2,4-dichloro" open a name; "12", "1.5" and "12a" number something.
        if not word[0].isdigit():
            return Kind.MARK
        return Kind.OPEN if "-" in word else Kind.NUMBER
    if word.endswith(_GLUED) and len(word) > 9:
        return Kind.GLUED
    if "-" in word:
        return Kind.OPEN
    for kind, endings, length, exceptions in _ENDING:
        if word.endswith(endings) and len(word) >= length and word not in exceptions:
            return kind
    return Kind.OPEN


_LISTED = (
    (Kind.CLOSED, CLOSED),
    (Kind.ORDINAL, ORDINALS),
    (Kind.PARTICIPLE, IRREGULAR),
    (Kind.FINITE, FINITE),
    (Kind.MAYBE_FINITE, MAYBE_FINITE),
    (Kind.AFTER_NOUN, AFTER_NOUN | ADVERBS),
    (Kind.VERB, VERBS),
    (Kind.NOUN_VERB, NOUN_VERBS),
)
_ENDING: tuple[tuple[Kind, tuple[str, ...], int, frozenset[str]], ...] = (
    (Kind.OWNER, ("'s", "’s"), 3, frozenset()),
    (Kind.LY, ("ly",), 3, NOT_LY),
    (Kind.ING, ("ing",), 5, NOUNS_ING),
    (Kind.PARTICIPLE, ("ed",), 4, NOUNS_ED),
    (Kind.AFTER_NOUN, ("able", "ible"), 7, frozenset()),
)
_GLUED = ("wherein", "whereby")
_KINDS = _Kinds()


def kind_of(word: str) -> Kind:
    """How a lower-case word or mark may stand in a noun phrase."""
    return _KINDS[word]


_OUTSIDE = frozenset({Kind.CLOSED, Kind.MARK, Kind.NUMBER})


@lru_cache(maxsize=RECENT)
def phrases_of(text: str) -> Sequence[Phrase]:
    """Every noun phrase of a text in order."""
    return noun_phrases(words_of(text))


def phrase_before(phrases: Sequence[Phrase], end: int) -> Phrase | None:
    """The phrase to which the word before the one at index `end` belongs, or None."""
    index = bisect_left(phrases, end, key=phrase_first) - 1
    return phrases[index] if index >= 0 and phrases[index].last >= end else None


def noun_phrases(words: Sequence[Word]) -> list[Phrase]:
    """Every noun phrase in order, the bare ones too."""
    kinds = [_KINDS[word.lower] for word in words]
    kinds.append(Kind.MARK)
    found: list[Phrase] = []
    size = len(words)
    at = 0
    while at < size:
        kind = kinds[at]
        if kind is Kind.MARK:
            at += 1
            continue
        begin, determiner, several = at, Determiner.NONE, False
        if kind is Kind.OPEN and words[at].lower == "set" and _set_forth(words, at):
            at += 2
            continue
        if kind is Kind.CLOSED or kind is Kind.NUMBER or words[at].lower in NUMERALS:
            at, begin, determiner, several = _determine(words, kinds, at)
            if determiner is Determiner.NONE:
                at += 1
                continue
        phrase, last = _run(words, kinds, begin, at, determiner, several)
        if phrase is not None:
            found.append(phrase)
        at = max(last, begin + 1)
    return found


def _determine(words: Sequence[Word], kinds: list[Kind], at: int) -> tuple[int, int, Determiner, bool]:
    """Where the noun after the determiners at `at` begins, where the phrase does, what determines it,
    and whether that makes it several. "each of the pins" begins at "the"."""
    begin, determiner, several = at, Determiner.NONE, False
    while at < len(words):
        lower = words[at].lower
        following = words[at + 1].lower if at + 1 < len(words) else "."
        if lower in DEFINITE:
            determiner = max(determiner, Determiner.SAID if lower == "said" else Determiner.THE)
            several = False
            if at > begin and words[at - 1].lower == "of":
                begin = at
        elif lower in DEMONSTRATIVE:
            determiner, several = max(determiner, Determiner.THESE), True
        elif lower in INDEFINITE and determiner < Determiner.THE:
            determiner = Determiner.INDEFINITE
        elif lower == "following" and determiner is Determiner.THE:
            determiner = Determiner.NUMBER  # what follows is told for the first time
        elif lower in NUMERALS or (
            lower.isdigit()
            and determiner >= Determiner.THE
            and kinds[at + 1] is Kind.OPEN
            and following not in UNITS
        ):
            determiner, several = max(determiner, Determiner.NUMBER), True
        elif lower in QUANTIFIERS and determiner < Determiner.THE:
            determiner = Determiner.EACH
        elif lower == "one":
            determiner = max(determiner, Determiner.NUMBER)
            if following == "or" and at + 2 < len(words) and words[at + 2].lower == "more":
                several = True
                at += 2
        elif lower == "at" and following == "least":
            at += 1
        else:
            break
        at += 1
        if (
            determiner
            and at + 1 < len(words)
            and words[at].lower in COLLECTIVE
            and words[at + 1].lower == "of"
        ):
            if words[at].lower == "number" and determiner >= Determiner.THE:
                break
            several = several or words[at].lower in COLLECTIVE_PLURAL
            determiner = max(determiner, Determiner.NUMBER)
            at += 2
    if at >= len(words) or kinds[at] in _OUTSIDE:
        determiner = Determiner.NONE
    return at, begin, determiner, several


def _run(
    words: Sequence[Word],
    kinds: list[Kind],
    begin: int,
    first: int,
    determiner: Determiner,
    several: bool,
) -> tuple[Phrase | None, int]:
    """The phrase whose words begin at `first`, and the index after it."""
    taken: list[str] = []
    ends: list[int] = []
    cuts: list[int] = []
    at = first
    while len(taken) < _LONGEST:
        kind = kinds[at]
        if kind in _OUTSIDE:
            if kind is Kind.MARK and taken and at < len(words) and _joins(words, kinds, at):
                at += 1
                continue
            break
        if taken:
            verdict = _goes_on(words, kinds, at, taken[-1])
            if verdict is None:
                break
            if verdict is False and (not cuts or cuts[-1] != len(taken)):
                cuts.append(len(taken))
        lower = words[at].lower
        if kind is Kind.OWNER:
            taken.append(lower[:-2])
            ends.append(words[at].end - 2)
            at += 1
            break
        if kind is Kind.GLUED:
            taken.append(lower[:-7])
            ends.append(words[at].end - 7)
            at += 1
            break
        if kind is not Kind.LY or kinds[at + 1] in _OUTSIDE:
            taken.append(lower)
            ends.append(words[at].end)
        at += 1
    if not taken:
        return None, max(at, first + 1)
    numeral, at, end = _numeral(words, kinds, at)
    if numeral:
        ends[-1] = end
    several = several or is_plural(taken[-1])
    phrase = Phrase(
        determiner,
        words[begin].start,
        first,
        at,
        tuple(taken),
        tuple(ends),
        tuple(reversed(cuts)),
        several,
        numeral,
    )
    return phrase, at


def _joins(words: Sequence[Word], kinds: list[Kind], at: int) -> bool:
    """Whether the mark at `at` stands within a name: "input/output port"."""
    return (
        words[at].lower == "/"
        and kinds[at + 1] not in _OUTSIDE
        and words[at - 1].end == words[at].start
        and words[at].end == words[at + 1].start
    )


def _goes_on(words: Sequence[Word], kinds: list[Kind], at: int, before: str) -> bool | None:
    """Whether the phrase goes on with the word at `at`: True, None for no, False for perhaps."""
    kind = kinds[at]
    after = kinds[at + 1]
    if kind is Kind.OPEN:
        if after is Kind.CLOSED:
            lower, following = words[at].lower, words[at + 1].lower
            if lower == "set" and following in _FORTH:
                return None
            # "the scheduler empties the queue": a verb that no list has.
            if lower[-1] == "s" and following in ARTICLES and is_plural(lower):
                return None
        return True
    if kind is Kind.ORDINAL or kind is Kind.OWNER or kind is Kind.GLUED:
        return True
    alone = after in _OUTSIDE
    if kind is Kind.LY:
        return None if alone or _KINDS[before] is not Kind.ORDINAL else True
    if kind is Kind.FINITE or (kind is Kind.VERB and is_plural(before)):
        return None
    if kind is Kind.AFTER_NOUN or kind is Kind.PARTICIPLE:
        return None if alone or after is Kind.LY else False
    if kind is Kind.MAYBE_FINITE:
        following = words[at + 1].lower if at + 1 < len(words) else "."
        return None if following in OBJECT_OPENERS or after is Kind.LY else False
    if kind is Kind.NOUN_VERB:
        following = words[at + 1].lower if at + 1 < len(words) else "."
        if not is_plural(before):
            return True
        return None if following in OBJECT_OPENERS else False
    return False  # -ing, and verbs after a singular


def _set_forth(words: Sequence[Word], at: int) -> bool:
    """Whether "set" is a verb: "the method set forth in", "the steps set out below"."""
    return at + 1 < len(words) and words[at + 1].lower in _FORTH


def _numeral(words: Sequence[Word], kinds: list[Kind], at: int) -> tuple[str, int, int]:
    """A reference numeral at `at` ("12", "(12)", "(12a)"), the index after it, and where it ends."""
    size = len(words)
    if at < size and kinds[at] is Kind.NUMBER:
        following = words[at + 1].lower if at + 1 < size else ""
        if following not in UNITS and (at + 1 >= size or kinds[at + 1] is not Kind.OPEN):
            return words[at].lower, at + 1, words[at].end
    if (
        at + 2 < size
        and words[at].lower in "(["
        and words[at + 2].lower in ")]"
        and kinds[at + 1] is Kind.NUMBER
    ):
        return words[at + 1].lower, at + 3, words[at + 2].end
    return "", at, 0
