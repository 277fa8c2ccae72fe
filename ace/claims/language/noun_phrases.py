"""Noun phrases of a claim, read without a tagger: where each begins and ends, and what determines it.

This is the one reader of noun phrases: resolution, the checks on logic and the reading of references use it.
A phrase is a run of words between words that never stand in one. If a run may hold a verb ("the module
queries"), the phrase lists every place to cut it, and resolution takes the cut that makes sense.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from ace.claims.language.determiners import OPENERS, Determiner, Opening
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
# Python 3.11 is slow to reach a member of an enum by name.
_OPEN: Final = WordClass.OPEN
_CLOSED: Final = WordClass.CLOSED
_NUMBER: Final = WordClass.NUMBER
_LY: Final = WordClass.LY
_NUMERAL_OPENS: Final = frozenset({WordClass.MARK, WordClass.NUMBER})
_THE: Final = Determiner.THE


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
        return self.determiner >= _THE

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
    opening = Opening(words)
    lowers, kinds = opening.lowers, opening.kinds
    phrases: list[Phrase] = []
    at, size = 0, len(words)
    while at < size:
        lower = lowers[at]
        outside = kinds[at] in OUTSIDE
        if outside and lower not in OPENERS:
            at += 1
        elif lower == "set" and lowers[at + 1] in _FORTH:
            at += 2  # a verb: "the method set forth in", "the steps set out below"
        elif opening.begins(at, determined=outside or lower in NUMERALS):
            phrase = _phrase_at(opening)
            phrases.append(phrase)
            at = phrase.last
        else:
            at = max(opening.at, at + 1)
    return phrases


_AGENTS: Final = ("er", "or")
_JOINING: Final = frozenset({"and", "or"})
_NOUNS: Final = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})
_WORDS_OF_A_THING: Final = 5
_TAILS: Final[dict[WordClass, int]] = {WordClass.OWNER: 2, WordClass.GLUED: 7}
"""Letters at the end of a word that do not belong to it, and with which the phrase ends."""


def _phrase_at(opening: Opening) -> Phrase:
    """The phrase whose words begin where the determiners end."""
    lowers, begin, first = opening.lowers, opening.begin, opening.at
    taken, cuts, last = _run(opening)
    if len(taken) == last - first:
        named, ends = lowers[first:last], opening.ends[first:last]
    else:
        named = tuple(map(lowers.__getitem__, taken))
        ends = tuple(map(opening.ends.__getitem__, taken))
    if tail := _TAILS.get(opening.kinds[last - 1]):
        named = (*named[:-1], named[-1][:-tail])
        ends = (*ends[:-1], ends[-1] - tail)
    numeral = ""
    if opening.kinds[last] in _NUMERAL_OPENS and (size := _numeral(opening, last)):
        numeral = lowers[last + size // 2]
        last += size
        ends = (*ends[:-1], opening.ends[last - 1])
    return _phrase(
        (
            opening.determiner,
            opening.words[begin].start,
            first,
            last,
            named,
            ends,
            _possible(named, cuts) if cuts else (),
            is_plural(named[-1]) or (opening.several and not (named[1:] and _measures(lowers[first - 1]))),
            numeral,
            lowers[begin:first],
        )
    )


def _run(opening: Opening) -> tuple[list[int], list[int], int]:
    """Where the words of a phrase are, after how many words it may end, and the index after it."""
    kinds, at = opening.kinds, opening.at
    taken: list[int] = []
    cuts: list[int] = []
    while len(taken) < _LONGEST:
        kind, after = kinds[at], kinds[at + 1]
        if kind is _OPEN and after is not _CLOSED:
            taken.append(at)
            at += 1
            continue
        if kind in OUTSIDE:
            if not _is_joined(opening, at):
                break
        else:
            goes_on = _goes_on(opening, at, taken[-1]) if taken else _YES
            if goes_on is _NO:
                break
            if goes_on is _PERHAPS:
                cuts.append(len(taken))
            if kind is not _LY or after in OUTSIDE:
                taken.append(at)
        at += 1
        if kind in _TAILS:
            break
    return taken, cuts, at


def _measures(before: str) -> bool:
    """Whether the number before a noun may belong to its adjective: "a three dimensional image"."""
    return before in EXACT or before.isdigit()


def _possible(words: Sequence[str], cuts: Sequence[int]) -> tuple[int, ...]:
    """The cuts, longest first, without those within a name."""
    return tuple(cut for cut in dict.fromkeys(reversed(cuts)) if not _is_compound(words, cut))


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


def _is_joined(opening: Opening, at: int) -> bool:
    """Whether a phrase goes on behind the slash, "and" or "or" at `at`."""
    if opening.lowers[at] == "/":
        return _joins(opening, at)
    return opening.lowers[at] in _JOINING and _joins_gerunds(opening, at)


def _joins(opening: Opening, at: int) -> bool:
    """Whether the slash at `at` stands within a name: "input/output port"."""
    if opening.kinds[at + 1] in OUTSIDE:
        return False
    before, slash, behind = opening.words[at - 1 : at + 2]
    return before.end == slash.start and slash.end == behind.start


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


_NO: Final = "no"
_PERHAPS: Final = "perhaps"
_YES: Final = "yes"
_GoesOn = Literal["no", "perhaps", "yes"]
"""Whether a phrase goes on with a word."""


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


_next = partial(tuple.__new__, _Next)  # quicker than _Next(…)


def _yes(_: _Next) -> _GoesOn:
    return _YES


def _no(_: _Next) -> _GoesOn:
    return _NO


def _with_open(each: _Next) -> _GoesOn:
    forth = each.word == "set" and each.following in _FORTH
    # "the scheduler empties the queue", "the record encoding a name": verbs that no list has
    third_person = is_plural(each.word) and not each.wanted
    several = is_plural(each.before) and not is_plural(each.word)  # "the results show the yield"
    counted = each.following in NUMERALS and each.following != "one"  # "the step lasts two hours"
    verb = (each.following in ARTICLES and (each.word.endswith("ing") or third_person or several)) or (
        counted and third_person
    )
    return _NO if forth or verb else _YES


def _with_adverb(each: _Next) -> _GoesOn:
    ordinal = WORD_CLASSES[each.before] is WordClass.ORDINAL
    return _YES if ordinal and not each.last else _NO


def _with_verb(each: _Next) -> _GoesOn:
    return _NO if is_plural(each.before) else _PERHAPS


def _with_adjective(each: _Next) -> _GoesOn:
    if each.word == "constant" and each.before in CONSTANTS:
        return _YES
    if each.following == "/":
        return _PERHAPS
    return _NO if each.last or each.after is WordClass.LY else _PERHAPS


def _with_ing(each: _Next) -> _GoesOn:
    governs = each.following in ARTICLES or (each.word in PROVIDING and not _names_a_thing(each.following))
    return _NO if governs else _PERHAPS


def _names_a_thing(word: str) -> bool:
    """Whether the word after a gerund is likely what the gerund qualifies: "the power providing unit"."""
    return word in THINGS or word in ACTS or word.endswith(_AGENTS)


def _with_third_person(each: _Next) -> _GoesOn:
    governs = each.following in ARTICLES or each.after is WordClass.LY
    return _NO if governs else _PERHAPS


def _with_noun_or_verb(each: _Next) -> _GoesOn:
    if not is_plural(each.before):  # "the first and the second arm form a gap"
        return _PERHAPS if each.following in ARTICLES else _YES
    return _NO if each.following in OBJECT_OPENERS else _PERHAPS


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


def _goes_on(opening: Opening, at: int, before: int) -> _GoesOn:
    """Whether a phrase that has come to the word at `before` goes on with the one at `at`."""
    lowers, kinds = opening.lowers, opening.kinds
    wanted = opening.several and not is_plural(lowers[before])
    return _GOING_ON[kinds[at]](_next((lowers[at], lowers[at + 1], kinds[at + 1], lowers[before], wanted)))


def _numeral(opening: Opening, at: int) -> int:
    """How many words and marks the reference numeral at `at` has: 1 for "12", 3 for "(12a)", 0 for none."""
    lowers, kinds = opening.lowers, opening.kinds
    if kinds[at] is _NUMBER:
        return int(lowers[at + 1] not in UNITS and kinds[at + 1] is not _OPEN)
    bracketed = lowers[at] in "([" and kinds[at + 1] is _NUMBER and lowers[at + 2] in ")]"
    return 3 if bracketed else 0
