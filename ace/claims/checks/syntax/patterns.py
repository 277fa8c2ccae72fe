"""Patterns of words: what each word of a wording must be.

language/tables/wordings.toml says how one is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from ace.claims.language.word_classes import WordClass, word_class_of
from ace.claims.language.words import Word

Feature = Callable[[str], bool]

_TIMES: Final = {"?": (0, 1), "*": (0, 4), "+": (1, 4)}
_CLASSES: Final = {each.name.lower(): each for each in WordClass}
_FREQUENT: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "by",
        "for",
        "from",
        "in",
        "is",
        "of",
        "on",
        "or",
        "said",
        "that",
        "the",
        "to",
        "with",
    ]
)
_NEVER: Final = 3


class Element(NamedTuple):
    """From `least` to `most` words that are in `words` or have one of `features`, or neither if `denied`."""

    words: frozenset[str]
    features: tuple[Feature, ...]
    denied: bool
    least: int
    most: int

    @property
    def plain(self) -> bool:
        """Whether this is one word of a list."""
        return not (self.features or self.denied) and self.least == self.most == 1

    def fits(self, word: str) -> bool:
        """Whether a lower-case word or mark, or "" past the ends of the text, is what is asked for."""
        found = word in self.words or (word != "" and any(feature(word) for feature in self.features))
        return found is not self.denied


class Pattern(NamedTuple):
    """Elements in order. Elements first to last - 1 are quoted, what is missing belongs before element
    `place`, and a match is looked for where the element `anchor` fits."""

    elements: tuple[Element, ...]
    first: int
    last: int
    place: int | None
    anchor: int

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The words that stand at the anchor and behind it in any match, "" for a second that may be any."""
        following = self.elements[self.anchor + 1 : self.anchor + 2]
        seconds = following[0].words if following and following[0].plain else {""}
        return product(self.elements[self.anchor].words, seconds)

    def match(self, words: Sequence[Word], at: int) -> list[int] | None:
        """Where each element begins, and where the last ends, if the anchor is words[at]; None if the
        pattern does not match there, or what it quotes is past the end."""
        behind = self.elements[self.anchor + 1 : self.anchor + 2]
        if behind and behind[0].least and not behind[0].fits(_lower(words, at + 1)):
            return None
        begins = self._begins(words, at - self.anchor, 0)
        if begins is None or begins[self.last] > len(words):
            return None
        return begins

    def _begins(self, words: Sequence[Word], at: int, index: int) -> list[int] | None:
        if index == len(self.elements):
            return [at]
        element = self.elements[index]
        taken = 0
        while taken < element.most and element.fits(_lower(words, at + taken)):
            taken += 1
        for count in range(taken, element.least - 1, -1):
            rest = self._begins(words, at + count, index + 1)
            if rest is not None:
                return [at, *rest]
        return None


def _lower(words: Sequence[Word], at: int) -> str:
    return words[at].lower if 0 <= at < len(words) else ""


def compiled(line: str, features: Mapping[str, Feature], lists: Mapping[str, frozenset[str]]) -> Pattern:
    """The pattern that a line stands for. Raises KeyError if it names what is not there, and ValueError if no
    element may be its anchor."""
    elements: list[Element] = []
    marks: dict[str, int] = {}
    for part in line.split():
        if part in {"<", ">", "^"}:
            marks[part] = len(elements)
        else:
            elements.append(_element(part, features, lists))
    ranks = [_rank(elements, index) for index in range(len(elements))]
    if min(ranks)[0] == _NEVER:
        raise ValueError(line)
    first, last = marks.get("<", 0), marks.get(">", len(elements))
    return Pattern(tuple(elements), first, last, marks.get("^"), ranks.index(min(ranks)))


def _rank(elements: Sequence[Element], index: int) -> tuple[int, int]:
    """How well an element serves as an anchor: best if the next has words alone too, else if it is rare."""
    element = elements[index]
    if not element.plain or any(each.least != each.most for each in elements[:index]):
        return _NEVER, 0
    if index + 1 < len(elements) and elements[index + 1].plain:
        return 0, len(element.words) * len(elements[index + 1].words)
    return 1 + (not _FREQUENT.isdisjoint(element.words)), len(element.words)


def _element(part: str, features: Mapping[str, Feature], lists: Mapping[str, frozenset[str]]) -> Element:
    least, most = _TIMES.get(part[-1], (1, 1)) if len(part) > 1 else (1, 1)
    atoms = part.removesuffix("?").removesuffix("*").removesuffix("+") if most > 1 or not least else part
    denied = len(part) > 1 and part[0] == "!"
    words: set[str] = set()
    having: list[Feature] = []
    for atom in atoms.removeprefix("!").split("|") if denied else atoms.split("|"):
        name = atom.removeprefix("%")
        if name == atom:
            words.add(atom)
        elif name in lists:
            words |= lists[name]
        else:
            having.append(features.get(name) or _of_class(_CLASSES[name]))
    return Element(frozenset(words), tuple(having), denied, least, most)


@lru_cache
def _of_class(wanted: WordClass) -> Feature:
    return lambda word: word_class_of(word) is wanted
