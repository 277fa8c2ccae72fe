"""Noun phrases of a claim, read without a tagger: where each begins and ends, and what determines it.

This is the one reader of noun phrases: resolution, the checks on logic and the reading of references use it.
A phrase is a run of words between words that never stand in one. If a run may hold a verb ("the module
queries"), the phrase lists every place to cut it, and resolution takes the cut that makes sense.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from ace.claims.language.determiners import OPENERS, Determiner, Opening, determine
from ace.claims.language.lexicon import (
    ACTS,
    ARTICLES,
    CONSTANTS,
    EXACT,
    NUMERALS,
    OBJECT_OPENERS,
    PROVIDING,
    THINGS,
    UNITS,
)
from ace.claims.language.word_classes import (
    OUTSIDE,
    PARTICIPIAL,
    WORD_CLASSES,
    WordClass,
    word_class_of,
)
from ace.claims.language.words import Word, is_plural, kept_by_text, words_of

__all__ = [
    "PARTICIPIAL",
    "Determiner",
    "Phrase",
    "WordClass",
    "noun_phrases",
    "phrase_before",
    "phrase_first",
    "phrases_of",
    "word_class_of",
]

_LONGEST: Final = 12
_FORTH: Final = frozenset({"forth", "out"})


class Phrase(NamedTuple):
    """One noun phrase: text[start:end] with its determiner; words[first:last] of the claim without.

    `words` are lower case and lack numerals and adverbs; `cuts` are the numbers of words after which
    the phrase may end instead, longest first; `ends` where it ends in the text for each number of words.
    `numeral` is a reference numeral after it; the word or mark that follows is words[last]. `opening` are
    the lower-case words before words[first] that determine it: "the", "other", "two".
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
    opening: tuple[str, ...] = ()

    @property
    def definite(self) -> bool:
        """Whether it speaks of something known."""
        return self.determiner >= Determiner.THE

    @property
    def end(self) -> int:
        """Where the whole phrase ends in the text."""
        return self.ends[-1]


phrase_first = attrgetter("first")
_phrase = partial(tuple.__new__, Phrase)  # quicker than Phrase(…)


@kept_by_text
def phrases_of(text: str) -> Sequence[Phrase]:
    """Every noun phrase of a text in order."""
    return noun_phrases(words_of(text))


def phrase_before(phrases: Sequence[Phrase], end: int) -> Phrase | None:
    """The phrase to which the word before the one at index `end` belongs, or None."""
    index = bisect_left(phrases, end, key=phrase_first) - 1
    return phrases[index] if index >= 0 and phrases[index].last >= end else None


def noun_phrases(words: Sequence[Word]) -> list[Phrase]:
    """Every noun phrase in order, the bare ones too."""
    lowers = list(map(itemgetter(0), words))
    kinds = list(map(word_class_of, lowers))
    lowers.extend("...")  # past the end, as far as is looked ahead
    kinds.append(WordClass.MARK)
    opening = Opening(lowers, kinds)
    found: list[Phrase] = []
    size = len(words)
    at = 0
    while at < size:
        lower = lowers[at]
        if lower == "set" and lowers[at + 1] in _FORTH:
            at += 2  # a verb: "the method set forth in", "the steps set out below"
            continue
        outside = kinds[at] in OUTSIDE
        if outside and lower not in OPENERS:
            at += 1
            continue
        opening.begin = opening.at = at
        opening.determiner, opening.several = Determiner.NONE, False
        if outside or lower in NUMERALS:
            determine(opening)
            if opening.determiner is Determiner.NONE:
                at = max(opening.at, at + 1)
                continue
        phrase, last = _run(words, opening)
        if phrase is not None:
            found.append(phrase)
        at = max(last, opening.begin + 1)
    return found


_AGENTS: Final = ("er", "or")
_JOINING: Final = frozenset({"/", "and", "or"})
_NOUNS: Final = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})
_WORDS_OF_A_THING: Final = 5
_TAILS: Final = {WordClass.OWNER: 2, WordClass.GLUED: 7}
"""Letters at the end of a word that do not belong to it, and with which the phrase ends."""


def _run(words: Sequence[Word], opening: Opening) -> tuple[Phrase | None, int]:
    """The phrase whose words begin where the determiners end, and the index after it."""
    lowers, kinds = opening.lowers, opening.kinds
    taken: list[str] = []
    ends: list[int] = []
    cuts: list[int] = []
    at = opening.at
    tail = 0
    while len(taken) < _LONGEST and not tail:
        kind = kinds[at]
        if kind in OUTSIDE:
            if lowers[at] not in _JOINING or not (taken and _is_joined(words, opening, at)):
                break
            at += 1
            continue
        if taken:
            goes_on = _goes_on(opening, at, taken[-1])
            if goes_on is _GoesOn.NO:
                break
            if goes_on is _GoesOn.PERHAPS and cuts[-1:] != [len(taken)]:
                cuts.append(len(taken))
        if kind is not WordClass.LY or kinds[at + 1] in OUTSIDE:
            tail = _TAILS.get(kind, 0)
            taken.append(lowers[at][:-tail] if tail else lowers[at])
            ends.append(words[at].end - tail)
        at += 1
    if not taken:
        return None, max(at, opening.at + 1)
    size = _numeral(lowers, kinds, at) if kinds[at] in OUTSIDE else 0
    numeral = lowers[at + size // 2] if size else ""
    if size:
        at += size
        ends[-1] = words[at - 1].end
    phrase = _phrase(
        (
            opening.determiner,
            words[opening.begin].start,
            opening.at,
            at,
            tuple(taken),
            tuple(ends),
            _possible(taken, cuts) if cuts else (),
            _is_plural(opening, taken),
            numeral,
            tuple(lowers[opening.begin : opening.at]),
        )
    )
    return phrase, at


def _is_plural(opening: Opening, taken: Sequence[str]) -> bool:
    """Whether several are named; the number in "a three dimensional image" belongs to the adjective."""
    before = opening.lowers[opening.at - 1]
    measures = len(taken) > 1 and (before in EXACT or before.isdigit())
    return is_plural(taken[-1]) or (opening.several and not measures)


def _possible(words: Sequence[str], cuts: Sequence[int]) -> tuple[int, ...]:
    """The cuts, longest first, without those within a name."""
    return tuple(cut for cut in reversed(cuts) if not _is_compound(words, cut))


def _is_compound(words: Sequence[str], cut: int) -> bool:
    """Whether the participle words[cut] belongs to a name: "the air guiding member", "the motor driven pump".

    A participle that a noun of one thing follows governs nothing: past participles never do, and the other
    would need an article ("the flap guiding a member").
    """
    last = words[-1]
    if cut + 1 == len(words) or is_plural(last):
        return False
    kind = WORD_CLASSES[words[cut]]
    if kind is WordClass.PARTICIPLE:
        return WORD_CLASSES[last] is WordClass.OPEN
    return kind is WordClass.ING and (last in THINGS or last.endswith(_AGENTS))


def _is_joined(words: Sequence[Word], opening: Opening, at: int) -> bool:
    """Whether a phrase goes on behind the slash, "and" or "or" at `at`."""
    slash = opening.lowers[at] == "/"
    return _joins(words, opening.kinds, at) if slash else _joins_gerunds(opening, at)


def _joins(words: Sequence[Word], kinds: list[WordClass], at: int) -> bool:
    """Whether the slash at `at` stands within a name: "input/output port"."""
    return (
        kinds[at + 1] not in OUTSIDE
        and words[at - 1].end == words[at].start
        and words[at].end == words[at + 1].start
    )


def _joins_gerunds(opening: Opening, at: int) -> bool:
    """Whether "and" or "or" stands between two gerunds of one thing: "a door opening and closing unit"."""
    lowers, kinds = opening.lowers, opening.kinds
    if not (opening.determiner and lowers[at - 1].endswith("ing") and lowers[at + 1].endswith("ing")):
        return False
    end = at + 2
    while kinds[end] in _NOUNS and end < at + _WORDS_OF_A_THING:
        end += 1
    last = lowers[end - 1]
    thing = last in THINGS or last.endswith(_AGENTS)
    return end > at + 2 and thing and lowers[end] not in ARTICLES


class _GoesOn(Enum):
    """Whether a phrase goes on with a word."""

    NO = "no"
    PERHAPS = "perhaps"
    YES = "yes"


class _Next(NamedTuple):
    """The word with which a phrase may go on, what follows it, and the word before it. `wanted` says that
    several things are announced and their noun is still to come."""

    word: str
    following: str
    after: WordClass
    before: str
    wanted: bool

    @property
    def last(self) -> bool:
        """Whether no word of a phrase follows."""
        return self.after in OUTSIDE


def _yes(_: _Next) -> _GoesOn:
    return _GoesOn.YES


def _no(_: _Next) -> _GoesOn:
    return _GoesOn.NO


def _with_open(each: _Next) -> _GoesOn:
    forth = each.word == "set" and each.following in _FORTH
    # "the scheduler empties the queue", "the record encoding a name": verbs that no list has
    third_person = is_plural(each.word) and not each.wanted
    several = is_plural(each.before) and not is_plural(each.word)  # "the results show the yield"
    counted = each.following in NUMERALS and each.following != "one"  # "the step lasts two hours"
    verb = (each.following in ARTICLES and (each.word.endswith("ing") or third_person or several)) or (
        counted and third_person
    )
    return _GoesOn.NO if forth or verb else _GoesOn.YES


def _with_adverb(each: _Next) -> _GoesOn:
    ordinal = WORD_CLASSES[each.before] is WordClass.ORDINAL
    return _GoesOn.YES if ordinal and not each.last else _GoesOn.NO


def _with_verb(each: _Next) -> _GoesOn:
    return _GoesOn.NO if is_plural(each.before) else _GoesOn.PERHAPS


def _with_adjective(each: _Next) -> _GoesOn:
    if each.word == "constant" and each.before in CONSTANTS:
        return _GoesOn.YES
    if each.following == "/":
        return _GoesOn.PERHAPS
    return _GoesOn.NO if each.last or each.after is WordClass.LY else _GoesOn.PERHAPS


def _with_ing(each: _Next) -> _GoesOn:
    governs = each.following in ARTICLES or (each.word in PROVIDING and not _names_a_thing(each.following))
    return _GoesOn.NO if governs else _GoesOn.PERHAPS


def _names_a_thing(word: str) -> bool:
    """Whether the word after a gerund is likely what the gerund qualifies: "the power providing unit"."""
    return word in THINGS or word in ACTS or word.endswith(_AGENTS)


def _with_third_person(each: _Next) -> _GoesOn:
    governs = each.following in ARTICLES or each.after is WordClass.LY
    return _GoesOn.NO if governs else _GoesOn.PERHAPS


def _with_noun_or_verb(each: _Next) -> _GoesOn:
    if not is_plural(each.before):  # "the first and the second arm form a gap"
        return _GoesOn.PERHAPS if each.following in ARTICLES else _GoesOn.YES
    return _GoesOn.NO if each.following in OBJECT_OPENERS else _GoesOn.PERHAPS


_GOING_ON: Final[dict[WordClass, Callable[[_Next], _GoesOn]]] = {
    WordClass.OPEN: _with_open,
    WordClass.LY: _with_adverb,
    WordClass.PARTICIPLE: _with_adjective,
    WordClass.ING: _with_ing,
    WordClass.FINITE: _no,
    WordClass.MAYBE_FINITE: _with_third_person,
    WordClass.VERB: _with_verb,
    WordClass.NOUN_VERB: _with_noun_or_verb,
    WordClass.AFTER_NOUN: _with_adjective,
    WordClass.ORDINAL: _yes,
    WordClass.OWNER: _yes,
    WordClass.GLUED: _yes,
}


def _goes_on(opening: Opening, at: int, before: str) -> _GoesOn:
    """Whether a phrase that has come to the word `before` goes on with the one at `at`."""
    lowers, kinds = opening.lowers, opening.kinds
    kind, after = kinds[at], kinds[at + 1]
    if kind is WordClass.OPEN and after is not WordClass.CLOSED:
        return _GoesOn.YES
    wanted = opening.several and not is_plural(before)
    return _GOING_ON[kind](_Next(lowers[at], lowers[at + 1], after, before, wanted))


def _numeral(lowers: list[str], kinds: list[WordClass], at: int) -> int:
    """How many words and marks the reference numeral at `at` has: 1 for "12", 3 for "(12a)", 0 for none."""
    if kinds[at] is WordClass.NUMBER:
        return int(lowers[at + 1] not in UNITS and kinds[at + 1] is not WordClass.OPEN)
    bracketed = lowers[at] in "([" and kinds[at + 1] is WordClass.NUMBER and lowers[at + 2] in ")]"
    return 3 if bracketed else 0
