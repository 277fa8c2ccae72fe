"""Patterns of words, which are all looked for in one pass over the words of a claim.

language/tables/wordings.toml says how one is written. Each element of each pattern is a bit of an integer,
set while the words before match up to there (the Shift-And algorithm of Baeza-Yates and Gonnet). A pattern
has one row of elements for each number of times that its elements may stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product
from typing import Final, NamedTuple

from ace.claims.language.word_classes import WordClass, word_class_of

Feature = Callable[[str], bool]

_TIMES: Final = {"?": (1, 0), "*": (4, 3, 2, 1, 0), "+": (4, 3, 2, 1)}
_CLASSES: Final = {wanted.name.lower(): wanted for wanted in WordClass}
_MARKS: Final = frozenset("<>^")


class Row(NamedTuple):
    """Single elements: elements[first:last] are quoted, and what is missing belongs before `place`."""

    elements: tuple[str, ...]
    first: int
    last: int
    place: int


class Match(NamedTuple):
    """A pattern that words match: they quote words[first:last], and lack something before words[place]."""

    first: int
    row: int
    pattern: int
    last: int
    place: int


def rows_of(line: str) -> Iterator[Row]:
    """The rows of a pattern, those with more elements first."""
    repeated = [
        [(part[:-1],) * times for times in _TIMES[part[-1]]] if part[-1] in _TIMES and part[1:] else [(part,)]
        for part in line.split()
    ]
    for chosen in product(*repeated):
        elements: list[str] = []
        marks: dict[str, int] = {}
        for part in chain.from_iterable(chosen):
            if part in _MARKS:
                marks[part] = len(elements)
            else:
                elements.append(part)
        last = marks.get(">", len(elements))
        yield Row(tuple(elements), marks.get("<", 0), last, marks.get("^", -1))


class Patterns:
    """Patterns that are looked for together. Raises KeyError if one names no list, class or feature."""

    def __init__(
        self, lines: Sequence[str], features: Mapping[str, Feature], lists: Mapping[str, frozenset[str]]
    ) -> None:
        self._lists = lists
        self._begins = self._ends = self._denied = 0
        self._rows: dict[int, tuple[int, Row]] = {}
        self._fitting: defaultdict[str, int] = defaultdict(int)
        for pattern, line in enumerate(lines):
            for row in rows_of(line):
                self._add(pattern, row)
        named = {name[1:]: bits for name, bits in self._fitting.items() if name[0] == "%" and name[1:]}
        self._features = [(features.get(name) or _of_class(_CLASSES[name]), named[name]) for name in named]
        self._bits_of = lru_cache(maxsize=16_384)(self._bits_that_fit)

    def _add(self, pattern: int, row: Row) -> None:
        begin = bit = self._ends.bit_length()
        self._begins |= 1 << begin
        for bit, element in enumerate(row.elements, begin):
            denied = element[0] == "!" and element != "!"
            self._denied |= denied << bit
            for atom in element[denied:].split("|"):
                for word in self._lists.get(atom[1:], (atom,)) if atom[0] == "%" else (atom,):
                    self._fitting[word] |= 1 << bit
        self._ends |= 1 << bit
        self._rows[bit] = pattern, row

    def _bits_that_fit(self, word: str) -> int:
        """The elements that a lower-case word or mark, or "" past the ends of a claim, fits."""
        bits = self._fitting.get(word, 0)
        for feature, having in self._features if word else ():
            if feature(word):
                bits |= having
        return bits ^ self._denied

    def matches(self, words: Sequence[str]) -> Iterator[Match]:
        """Each match of each pattern whose quote is within the lower-case words."""
        bits_of, begins, ends = self._bits_of, self._begins, self._ends
        state = 0
        for at, bits in enumerate(map(bits_of, chain(("",), words, ("",)))):
            state = (state << 1 | begins) & bits
            ended = state & ends
            while ended:
                bit = ended.bit_length() - 1
                ended ^= 1 << bit
                pattern, row = self._rows[bit]
                begin = at - len(row.elements)
                if begin + row.first >= 0 and begin + row.last <= len(words):
                    yield Match(begin + row.first, bit, pattern, begin + row.last, begin + row.place)


def _of_class(wanted: WordClass) -> Feature:
    return lambda word: word_class_of(word) is wanted
