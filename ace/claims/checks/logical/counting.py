"""Counted things: the words after a verb of having, as a name and between how many and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from ace.claims.checks.logical.statements import Statement
from ace.claims.language.expressions import Expressions
from ace.claims.language.lexicon import UNITS
from ace.claims.language.noun_phrases import WordClass, word_class_of
from ace.claims.language.tables import table, word_list
from ace.claims.language.words import lemma

_TABLE = table("possessions")
BOUNDS = Expressions((each, how) for how, written in _TABLE["bounds"].items() for each in written.split())
COUNTS = Expressions((each, int(n)) for n, written in _TABLE["counts"].items() for each in written.split())
OPEN = Expressions((each, int(n)) for n, written in _TABLE["open_counts"].items() for each in written.split())
_HAVING = word_list("possessions", "having")
_LACKING = word_list("possessions", "lacking")
_WITHOUT = Expressions((each, True) for each in _TABLE["without"].split())
_GIVEN = Expressions((each, True) for each in _TABLE["given"].split())
_NAME_ENDS = word_list("logic", "denied_name_ends") | word_list("logic", "prepositions")
_VAGUE = word_list("logic", "vague_elements")
_MAX_NAME = 5


class Counted(NamedTuple):
    """A name, and between how many and how many of it there are."""

    thing: tuple[str, ...]
    low: float
    high: float

    @property
    def closed(self) -> bool:
        """Whether there is no more of it."""
        return self.high < inf


def had(said: Statement) -> tuple[tuple[str, ...] | None, bool]:
    """The words that name what is had, and whether it is lacking."""
    words = said.complement
    if said.verb in _LACKING:
        return words, not said.negated
    if said.verb in _HAVING:
        return words, said.negated
    if said.verb == "consist" and words[:1] == ("of",):
        return ("exactly", *words[1:]), said.negated
    if said.verb == "be":
        without, given = _WITHOUT.at(words), _GIVEN.at(words)
        if without is not None:
            return words[without[1] :], not said.negated
        if given is not None:
            return words[given[1] :], said.negated
    return None, False


def counted_things(words: Sequence[str], *, lacks: bool) -> Counted | None:
    """The name of what is had, and between how many and how many there are."""
    how, low, high, at = _number(words)
    name = _name(words, at)
    if not name or low > high:
        return None
    if lacks:
        return Counted(name, 0, 0) if low <= 1 and high == inf else None
    if low == 0:
        return Counted(name, 0, 0)
    return Counted(name, 0 if how == "most" else low + (how == "more"), high)


def _number(words: Sequence[str]) -> tuple[str, int, float, int]:
    """How a number is bounded, the least and the greatest number, and the index after them."""
    between = COUNTS.at(words, 1) if words and words[0] == "between" else None
    most = COUNTS.at(words, between[1] + 1) if between is not None else None
    if between is not None and most is not None and words[between[1]] == "and":
        return "", between[0], *most
    bound = BOUNDS.at(words)
    how, at = bound if bound is not None else ("", 0)
    count, opened = COUNTS.at(words, at), OPEN.at(words, at)
    exact = how in {"exactly", "most"}
    if count is not None and not (opened is not None and opened[1] > count[1]):
        number, end = count
        exact = exact or end - at == 2  # "a single"
    elif opened is not None:
        (number, end), exact = opened, False
    elif at < len(words) and words[at].isdigit():
        number, end = int(words[at]), at + 1
    else:
        return how, 1, inf, at
    most = _other_end(words, end)
    if most is not None:
        return how, number, *most
    behind = _BOUNDS_AFTER.get(tuple(words[end : end + 2]))
    if behind is not None:
        return behind, number, number if behind == "most" else inf, end + 2
    return how, number, number if exact else inf, end


_BOUNDS_AFTER: dict[tuple[str, ...], str] = {
    ("or", word): how for how, words in _TABLE["bounds_after"].items() for word in words.split()
}
"""What bounds a number from behind: "six or more"."""


def _other_end(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """The greater number of "three to five" and "two or three", and the index after it."""
    return COUNTS.at(words, at + 1) if at < len(words) and words[at] in {"or", "to"} else None


def is_bare(words: Sequence[str]) -> bool:
    """Whether a number of two or more stands alone: "two arms", and not "at least two arms"."""
    count = COUNTS.at(words)
    if count is None and words[:1] and words[0].isdigit():
        count = int(words[0]), 1
    if count is None or count[0] < 2:
        return False
    return _other_end(words, count[1]) is None and tuple(words[count[1] : count[1] + 2]) not in _BOUNDS_AFTER


def _name(words: Sequence[str], at: int) -> tuple[str, ...]:
    name: list[str] = []
    for word in words[at : at + _MAX_NAME]:
        kind = word_class_of(word)
        if name and kind is WordClass.NUMBER:
            return ()
        if word in _NAME_ENDS or kind in {WordClass.CLOSED, WordClass.NUMBER, WordClass.MARK, WordClass.LY}:
            break
        if name and kind in {WordClass.PARTICIPLE, WordClass.FINITE}:
            break
        name.append(lemma(word))
    return () if not name or name[-1] in _VAGUE or not UNITS.isdisjoint(name) else tuple(name)
