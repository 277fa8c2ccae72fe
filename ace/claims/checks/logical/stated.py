"""What each quantity of a claim is a quantity of: the words that lead to it and those behind it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from math import inf
from typing import Final, NamedTuple

from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.quantities import Quantity, quantities
from ace.claims.language.tables import table, word_groups, word_list
from ace.claims.language.units import NONE
from ace.claims.language.words import Word, lemma, root, word_start
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
_MEASURING: Final = MEASURES | {
    root(word)
    for word in (*word_list("quantities", "vague"), *(each for words in _GENERIC.values() for each in words))
}
_LIMITED: Final = word_list("quantities", "limited")
_SIZES: Final[dict[str, str]] = table("quantities")["sizes"]
_NUMBERS: Final[dict[str, int]] = table("quantities")["numbers"]
_BOUNDS: Final[dict[str, str]] = {"least": "low", "than": "", "most": "high", "to": "high"}
_SIGNS: Final = frozenset("≤≥<>⩽⩾≦≧-−(#")
_JOINS: Final = frozenset({",", "and", "or"})
_NEAR: Final = 8
_COUNTERS: Final = ("-fold", "-membered")
_ENDS: Final = frozenset(",;:.")
_MARKS: Final = frozenset(";:.")
_MOST: Final = 60
"""Quantities that are read in one claim."""
_LONGEST_LEAD: Final = 24
_LONGEST_TAIL: Final = 8


class Stated(NamedTuple):
    """A quantity with the roots of the words around it, as far as they say something.

    `key` are those that lead to it within its clause and `near` those before it in its limb, in order;
    `after` are those behind it. `known` is whether it is said of something known, `limited` whether it holds
    only at times or is no more than a preference, and `added` whether it is said of something further, or is
    a condition or the other end of the quantity before it.
    """

    quantity: Quantity
    key: tuple[str, ...]
    near: tuple[str, ...]
    after: tuple[str, ...]
    known: bool
    limited: bool
    added: bool

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
    words = reading.words(number)
    found = sorted((*_measured(reading, number), *_counts(words)), key=lambda each: each.start)
    stated: list[Stated] = []
    for each in reversed(list(islice(_all_stated(words, found), _MOST))):
        alternative = bool(stated) and stated[-1].near is each.near
        stated.append(each._replace(after=stated[-1].after) if alternative else each)
    return tuple(reversed(stated))


def _measured(reading: Reading, number: int) -> Iterator[Quantity]:
    """The quantities in figures that no sign joins to a name: not "2-pyridyl", "(4)" and "set 2"."""
    words, text = reading.words(number), reading.claims[number].text
    last = 0
    for quantity in quantities_of(reading, number):
        if text[max(0, quantity.start - 1) : quantity.start] in _SIGNS:
            continue
        if quantity.unit.dimension or _is_bare_number(words, quantity, last):
            yield quantity
            last = quantity.end


def _is_bare_number(words: Sequence[Word], quantity: Quantity, last: int) -> bool:
    """Whether a number without a unit is what something is, or counts what follows; `last` is the end of the
    number before it, to which it may be an alternative."""
    at = bisect_left(words, quantity.start, key=word_start)
    end = bisect_left(words, quantity.end, key=word_start)
    joined = end < len(words) and words[end].start == quantity.end and words[end].lower not in _ENDS
    hyphened = words[end - 1].end > quantity.end and not words[end - 1].lower.endswith(_COUNTERS)
    if at == 0 or joined or hyphened:
        return False
    before = words[at - 1].lower
    if before in _JOINS and not quantity.word:
        return last > 0 and quantity.start - last < _NEAR
    led = before in _LED or (before == "," and bool(quantity.word))
    return led or (end < len(words) and word_class_of(words[end].lower) not in _NOT_CONTENT)


def _counts(words: Sequence[Word]) -> Iterator[Quantity]:
    """Numbers in words that count what follows: "four arms", "one or more modules"."""
    for index, word in enumerate(words[:-1]):
        value = _NUMBERS.get(word.lower)
        if value is None or not words[index + 1].lower.isalpha():
            continue
        behind = tuple(each.lower for each in words[index + 1 : index + 3])
        more = behind == ("or", "more")
        if not more and (value == 1 or behind[0] in {"of", "or", "to"}):
            continue
        end = words[index + 2].end if more else word.end
        bound = "low" if more else _BOUNDS.get(words[index - 1].lower if index else "", "both")
        if bound:
            low, high = (-inf if bound == "high" else value), (inf if bound == "low" else value)
            yield Quantity(word.start, end, low, high, NONE)


def _all_stated(words: Sequence[Word], found: Sequence[Quantity]) -> Iterator[Stated]:
    before: Stated | None = None
    for index, quantity in enumerate(found):
        least = bisect_left(words, found[index - 1].end, key=word_start) if index else 0
        behind = found[index + 1] if index + 1 < len(found) else None
        stated = _stated(words, quantity, least, behind)
        if before is not None and _is_alternative(words, least, quantity):
            stated = before._replace(quantity=quantity, after=stated.after)
        yield stated
        before = stated


def _is_alternative(words: Sequence[Word], first: int, quantity: Quantity) -> bool:
    """Whether no more than marks and an "or" lie between a quantity and the one before it: "5, 6 or 7"."""
    last = bisect_left(words, quantity.start, key=word_start)
    return last > first and all(word.lower in {",", ".", "or", "and", "about"} for word in words[first:last])


def _stated(words: Sequence[Word], quantity: Quantity, least: int, behind: Quantity | None) -> Stated:
    at = bisect_left(words, quantity.start, key=word_start)
    end = bisect_left(words, quantity.end, key=word_start)
    clause = _clause_start(words, at, least)
    limb = _limb_start(words, at)
    most = len(words) if behind is None else bisect_left(words, behind.start, key=word_start)
    tail = _tail(words, end, most)
    where = f"at {behind.low:g}" if behind is not None and _measured_at(words, end, most) else ""
    beside = {word.lower for word in (*words[limb:at], *words[end : tail + 1])}
    listed = clause == least > 0 and words[at - 1].lower == ","
    aside = (
        clause == least > 0 and clause < at and (words[clause].lower == "at" or words[at - 1].lower == "to")
    )
    generic = _GENERIC.get(quantity.unit.dimension, ())
    return Stated(
        quantity,
        () if listed else _content(words[clause:at], generic),
        _content(words[limb:at], generic),
        (*filter(None, (where,)), *_content(words[end:tail], (), numbers=True)),
        _known(words, clause, at),
        not _LIMITED.isdisjoint(beside),
        aside or "further" in beside,
    )


def _measured_at(words: Sequence[Word], end: int, most: int) -> bool:
    """Whether no more than "at" or "measured at a temperature of" lies between a quantity and the next."""
    return any(word.lower == "at" for word in words[end : min(most, end + 3)]) and most - end <= 7


def _clause_start(words: Sequence[Word], at: int, least: int) -> int:
    """Where the words begin that lead to the quantity at words[at]: behind `least` and any reference."""
    start = at
    while start > max(least, at - _LONGEST_LEAD) and not _begins(words, start - 1, at):
        start -= 1
    return start


def _begins(words: Sequence[Word], index: int, at: int) -> bool:
    """Whether the words that lead to a quantity at words[at] begin behind words[index]."""
    word = words[index].lower
    if word == "," and index + 1 == at:
        return False
    return word in _BREAKS or word in _MARKS or (word[0].isdigit() and _is_claim(words, index))


def _is_claim(words: Sequence[Word], index: int) -> bool:
    return index > 0 and words[index - 1].lower in {"claim", "claims"}


def _limb_start(words: Sequence[Word], at: int) -> int:
    start = at
    while start > max(0, at - _LONGEST_LEAD) and words[start - 1].lower not in _MARKS:
        start -= 1
    return start


def _tail(words: Sequence[Word], end: int, most: int) -> int:
    last = end
    while last < min(most, end + _LONGEST_TAIL) and not _ends(words, last):
        last += 1
    return last


def _ends(words: Sequence[Word], index: int) -> bool:
    word = words[index].lower
    return word in {"and", "or"} or word in _BREAKS or (word in _MARKS and word != ":")


def _content(words: Sequence[Word], generic: Container[str], *, numbers: bool = False) -> tuple[str, ...]:
    """The roots of the words that say something, with numbers and "per" or without; of sizes the noun: "long"
    as "length"."""
    return tuple(
        root(_SIZES.get(word.lower, word.lower))
        for word in words
        if word.lower not in _LINKS
        and (
            (kind := word_class_of(word.lower)) not in _NOT_CONTENT
            or (numbers and (kind is WordClass.NUMBER or word.lower == PER))
        )
        and lemma(word.lower) not in generic
    )


def _known(words: Sequence[Word], start: int, at: int) -> bool:
    """Whether the words that lead to a quantity speak of something known and introduce only a measure."""
    known = start > 1 and _is_claim(words, start - 1 - (words[start - 1].lower == ","))
    for index in range(start, at):
        word = words[index].lower
        if word in {"a", "an"} and not _introduces_measure(words, index + 1, at):
            return False
        known = known or word in _DEFINITE
    return known or (at - start in {1, 2} and len(words[start].lower) <= 2)


def _introduces_measure(words: Sequence[Word], index: int, at: int) -> bool:
    return any(root(word.lower) in _MEASURING for word in words[index : min(at, index + 4)])
