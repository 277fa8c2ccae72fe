"""How many things of a name a claim brings in: "a plurality of fins", "exactly two fins"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ace.claims.checks.logical.chain import MAX_STATEMENTS, kept_with_set
from ace.claims.checks.logical.counting import BOUNDS, COUNTS, OPEN, Counted, counted_things, is_bare
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma, words_of
from ace.claims.reading import Reading

_OWNING = word_list("possessions", "owning")
_KNOWN = frozenset({"the", "said", "these", "those", "all", "both", "claim", "claims"})
_MAX_WORDS = 12
_MAX_LIMB_WORDS = 40


class BroughtIn(NamedTuple):
    """Between how many and how many things are brought in at text[start:end]. `bare` if a number stands
    alone, which in an open claim may be exceeded; `whole` if not with a part of what is claimed."""

    counted: Counted
    bare: bool
    whole: bool
    start: int
    end: int


@kept_with_set
def brought_in(_reading: Reading, text: str) -> tuple[BroughtIn, ...]:
    """What a text brings in by number, unless it brings in more of the same name."""
    found = tuple(islice(_brought_in(text), MAX_STATEMENTS))
    names = Counter(each.counted.thing for each in found)
    wholes = Counter(each.counted.thing for each in found if each.whole)
    return tuple(each for each in found if (wholes if each.whole else names)[each.counted.thing] == 1)


def _brought_in(text: str) -> Iterator[BroughtIn]:
    words = words_of(text)
    lowers = [word.lower for word in words]
    after = 0
    for at, word in enumerate(lowers):
        if at < after or not (word in BOUNDS or word in COUNTS or word in OPEN or word.isdigit()):
            continue
        said = lowers[at : at + _MAX_WORDS]
        counted = counted_things(said, lacks=False)
        if counted is None or not counted.high or (counted.low == 1 and not counted.closed):
            continue
        after = _end(lowers, at, counted)
        if at and lowers[at - 1] not in _KNOWN:
            whole = _of_the_whole(lowers, at, after)
            yield BroughtIn(counted, is_bare(said), whole, words[at].start, words[after - 1].end)


def _end(lowers: Sequence[str], at: int, counted: Counted) -> int:
    """The index after the name of what is counted."""
    last = counted.thing[-1]
    stop = min(len(lowers), at + _MAX_WORDS)
    return next((index + 1 for index in range(at, stop) if lemma(lowers[index]) == last), at + 1)


def _of_the_whole(lowers: Sequence[str], at: int, end: int) -> bool:
    """Whether the words at..end stand in the list of what the claim comprises, not with a part of it."""
    if lowers[end : end + 1] == ["of"]:
        return False
    for index in range(at - 1, max(-1, at - _MAX_LIMB_WORDS), -1):
        word = lowers[index]
        if word in {";", ":"}:
            return True
        if word in _OWNING:
            return word == "comprising" and "comprising" not in lowers[:index]
    return False
