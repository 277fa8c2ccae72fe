"""What each quantity of a claim is a quantity of: the words that lead to it and those behind it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from functools import cached_property
from math import inf
from operator import attrgetter
from typing import Final, NamedTuple

from ace.claims.language.quantities import Quantity, quantities
from ace.claims.language.tables import table, word_groups, word_list
from ace.claims.language.units import NONE
from ace.claims.language.word_classes import WordClass, word_class_of
from ace.claims.language.words import Word, lemma, root, word_set, word_start
from ace.claims.model import Claim
from ace.claims.reading import Reading

_NOT_CONTENT: Final = frozenset({WordClass.CLOSED, WordClass.MARK, WordClass.NUMBER, WordClass.LY})
PER: Final = "per"
_LINKS: Final = word_list("quantities", "links")
_LED: Final = _LINKS | {"="}
_BREAKS: Final = word_list("quantities", "breaks")
_DEFINITE: Final = word_list("quantities", "definite")
MEASURES: Final = frozenset(map(root, (*table("quantities")["dimensions"], *word_list("quantities", "bare"))))
"""Roots of the names of quantities."""
_GENERIC: Final = word_groups("quantities", "generic")
_MEASURING: Final = MEASURES.union(
    map(root, word_list("quantities", "vague")), *(map(root, words) for words in _GENERIC.values())
)
_LIMITED: Final = word_list("quantities", "limited")
_SIZES: Final[dict[str, str]] = table("quantities")["sizes"]
_NUMBERS: Final[dict[str, int]] = table("quantities")["numbers"]
_NUMBER_WORDS: Final = frozenset(_NUMBERS)
_BOUNDS: Final[dict[str, str]] = {"least": "low", "than": "", "most": "high", "to": "high"}
_SIGNS: Final = frozenset("≤≥<>⩽⩾≦≧-−(#")
_JOINS: Final = frozenset({",", "and", "or"})
_BESIDE: Final = _JOINS | {".", "about"}
"""What may stand between alternatives."""
_NEAR: Final = 8
_COUNTERS: Final = ("-fold", "-membered")
_ENDS: Final = frozenset(",;:.")
_MARKS: Final = frozenset(";:.")
_CLAUSE: Final = _BREAKS | _MARKS
_BEHIND: Final = _BREAKS | {"and", "or", ";", "."}
"""What ends the words behind a quantity that say what it is of."""
_MOST: Final = 60
"""Quantities that are read in one claim."""
_LONGEST_LEAD: Final = 24
_LONGEST_TAIL: Final = 8


class _Located(NamedTuple):
    """A quantity, which is words[at:end] of its claim."""

    quantity: Quantity
    at: int
    end: int


class Context:
    """The words around one of the quantities of a claim, or around several alternatives ("5, 6 or 7"): the
    roots of those that say something. Each part is read when it is asked for."""

    def __init__(self, lowers: Sequence[str], every: Sequence[_Located], first: int) -> None:
        self._lowers = lowers
        self._every = every
        self._first = self._last = first
        quantity, self._at, self._end = every[first]
        self._least = every[first - 1].end if first else 0
        self._generic = _GENERIC.get(quantity.unit.dimension, ())

    def add(self) -> None:
        """Takes the next quantity as an alternative."""
        self._last += 1

    @cached_property
    def key(self) -> tuple[str, ...]:
        """The words that lead to the quantity within its clause, in order."""
        listed = self._clause == self._least > 0 and self._lowers[self._at - 1] == ","
        return () if listed else _content(self._lowers[self._clause : self._at], self._generic)

    @cached_property
    def near(self) -> tuple[str, ...]:
        """Those before it in its limb."""
        return _content(self._lowers[self._limb : self._at], self._generic)

    @cached_property
    def after(self) -> tuple[str, ...]:
        """Those behind it, and where it is measured: "at 298"."""
        lowers, end = self._lowers, self._every[self._last].end
        behind = self._every[self._last + 1] if self._last + 1 < len(self._every) else None
        most = len(lowers) if behind is None else behind.at
        content = _content(lowers[end : self._tail(end, most)], (), numbers=True)
        if behind is None or most - end > 7 or "at" not in lowers[end : min(most, end + 3)]:
            return content
        return (f"at {behind.quantity.low:g}", *content)

    @cached_property
    def known(self) -> bool:
        """Whether the words that lead to it speak of something known and introduce only a measure."""
        lowers, start, at = self._lowers, self._clause, self._at
        for index in range(start, at):
            measured = lowers[index + 1 : min(at, index + 5)]
            if lowers[index] in {"a", "an"} and _MEASURING.isdisjoint(map(root, measured)):
                return False
        if start > 1 and self._is_claim(start - 1 - (lowers[start - 1] == ",")):
            return True
        short = at - start in {1, 2} and len(lowers[start]) <= 2
        return short or not _DEFINITE.isdisjoint(lowers[start:at])

    @cached_property
    def limited(self) -> bool:
        """Whether it holds only at times or is no more than a preference."""
        return not _LIMITED.isdisjoint(self._beside)

    @cached_property
    def added(self) -> bool:
        """Whether it is said of something further, or is a condition or the other end of the quantity before
        it."""
        lowers, at, clause = self._lowers, self._at, self._clause
        aside = (
            clause == self._least > 0 and clause < at and (lowers[clause] == "at" or lowers[at - 1] == "to")
        )
        return aside or "further" in self._beside

    @cached_property
    def _clause(self) -> int:
        """Where the words begin that lead to the quantity: behind the one before it and any reference."""
        first = max(self._least, self._at - _LONGEST_LEAD)
        return next((start for start in range(self._at, first, -1) if self._begins(start - 1)), first)

    def _begins(self, index: int) -> bool:
        word = self._lowers[index]
        return (word in _CLAUSE and not (word == "," and index + 1 == self._at)) or (
            word[0].isdigit() and self._is_claim(index)
        )

    def _is_claim(self, index: int) -> bool:
        return index > 0 and self._lowers[index - 1] in {"claim", "claims"}

    @cached_property
    def _limb(self) -> int:
        first = max(0, self._at - _LONGEST_LEAD)
        return next(
            (start for start in range(self._at, first, -1) if self._lowers[start - 1] in _MARKS), first
        )

    def _tail(self, end: int, most: int) -> int:
        last = min(most, end + _LONGEST_TAIL)
        return next((index for index in range(end, last) if self._lowers[index] in _BEHIND), last)

    @cached_property
    def _beside(self) -> Sequence[str]:
        most = self._every[self._first + 1].at if self._first + 1 < len(self._every) else len(self._lowers)
        tail = self._tail(self._end, most)
        return (*self._lowers[self._limb : self._at], *self._lowers[self._end : tail + 1])


class Stated(NamedTuple):
    """A quantity with the words around it; alternatives share these."""

    quantity: Quantity
    context: Context

    @property
    def counted(self) -> bool:
        """Whether it has no unit, so that the word behind it says what is counted."""
        return not self.quantity.unit.dimension


def quantities_of(reading: Reading, number: int) -> tuple[Quantity, ...]:
    """The quantities in figures of a claim; read once for each set."""
    return reading.kept(_quantities, number)


def _quantities(reading: Reading, number: int) -> tuple[Quantity, ...]:
    return quantities(reading.claims[number].text)


def stated_quantities(reading: Reading, number: int) -> tuple[Stated, ...]:
    """The first quantities of a claim, each with its words; read once for each set."""
    return reading.kept(_read, number)


def _read(reading: Reading, number: int) -> tuple[Stated, ...]:
    claim, words, lowers = reading.claims[number], reading.words(number), reading.lowers(number)
    in_words = () if _NUMBER_WORDS.isdisjoint(word_set(claim.text)) else _counts(words, lowers)
    in_figures = _measured(claim, words, quantities_of(reading, number))
    every = sorted((*in_figures, *in_words), key=attrgetter("at"))
    stated: list[Stated] = []
    for index, (quantity, at, _) in enumerate(every[:_MOST]):
        between = lowers[every[index - 1].end : at] if index else ()
        if between and _BESIDE.issuperset(between):
            context = stated[-1].context
            context.add()
        else:
            context = Context(lowers, every, index)
        stated.append(Stated(quantity, context))
    return tuple(stated)


def _measured(claim: Claim, words: Sequence[Word], figures: Sequence[Quantity]) -> Iterator[_Located]:
    """The quantities in figures that no sign joins to a name: not "2-pyridyl", "(4)" and "set 2"."""
    last = 0
    for quantity in figures:
        if claim.text[max(0, quantity.start - 1) : quantity.start] in _SIGNS:
            continue
        at = bisect_left(words, quantity.start, key=word_start)
        located = _Located(quantity, at, bisect_left(words, quantity.end, at, key=word_start))
        if quantity.unit.dimension or _is_bare_number(words, located, last):
            yield located
            last = quantity.end


def _is_bare_number(words: Sequence[Word], located: _Located, last: int) -> bool:
    """Whether a number without a unit is what something is, or counts what follows; `last` is the end of the
    number before it, to which it may be an alternative."""
    quantity, at, end = located
    following = words[end] if end < len(words) else None
    joined = following is not None and following.start == quantity.end and following.lower not in _ENDS
    hyphened = words[end - 1].end > quantity.end and not words[end - 1].lower.endswith(_COUNTERS)
    if at == 0 or joined or hyphened:
        return False
    before = words[at - 1].lower
    if before in _JOINS and not quantity.word:
        return last > 0 and quantity.start - last < _NEAR
    led = before in _LED or (before == "," and bool(quantity.word))
    return led or (following is not None and word_class_of(following.lower) not in _NOT_CONTENT)


def _counts(words: Sequence[Word], lowers: tuple[str, ...]) -> Iterator[_Located]:
    """Numbers in words that count what follows: "four arms", "one or more modules"."""
    for at in [at for at, lower in enumerate(lowers[:-1]) if lower in _NUMBERS]:
        value, behind = _NUMBERS[lowers[at]], lowers[at + 1]
        more = lowers[at + 1 : at + 3] == ("or", "more")
        if not behind.isalpha() or (not more and (value == 1 or behind in {"of", "or", "to"})):
            continue
        end = at + 3 if more else at + 1
        bound = "low" if more else _BOUNDS.get(lowers[at - 1] if at else "", "both")
        if bound:
            low, high = (-inf if bound == "high" else value), (inf if bound == "low" else value)
            yield _Located(Quantity(words[at].start, words[end - 1].end, low, high, NONE), at, end)


def _content(lowers: Sequence[str], generic: Container[str], *, numbers: bool = False) -> tuple[str, ...]:
    """The roots of the words that say something, with numbers and "per" or without; of sizes the noun: "long"
    as "length"."""
    return tuple(
        root(_SIZES.get(word, word))
        for word in lowers
        if word not in _LINKS
        and (
            (kind := word_class_of(word)) not in _NOT_CONTENT
            or (numbers and (kind is WordClass.NUMBER or word == PER))
        )
        and lemma(word) not in generic
    )
