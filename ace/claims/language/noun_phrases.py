"""Noun phrases of a claim, read without a tagger: where each begins and ends, and what determines it.

This is the one reader of noun phrases: resolution, the checks on logic and the reading of references use it.
A phrase is a run of words between words that never stand in one. If a run may hold a verb ("the module
queries"), the phrase lists every place to cut it, and resolution takes the cut that makes sense.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from operator import attrgetter
from typing import NamedTuple

from ace.claims.language.lexicon import (
    ACTS,
    ADVERBS,
    AFTER_NOUN,
    ARTICLES,
    CLOSED,
    COLLECTIVE,
    COLLECTIVE_PLURAL,
    CONSTANTS,
    DEFINITE,
    DEMONSTRATIVE,
    FINITE,
    INDEFINITE,
    INNER,
    IRREGULAR,
    MAYBE_FINITE,
    NOT_LY,
    NOUN_VERBS,
    NOUNS_ED,
    NOUNS_ING,
    NUMERALS,
    OBJECT_OPENERS,
    ORDINALS,
    PROVIDING,
    QUANTIFIERS,
    THINGS,
    UNITS,
    VERBS,
)
from ace.claims.language.words import Word, is_plural, kept_by_text, words_of

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


class WordClass(IntEnum):
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


PARTICIPIAL = frozenset({WordClass.PARTICIPLE, WordClass.ING, WordClass.AFTER_NOUN})
"""Classes of words that qualify a noun as a participle does."""


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


class _Kinds(dict[str, WordClass]):
    """WordClass of each lower-case word, worked out once; bounded, as words come from outside."""

    def __missing__(self, word: str) -> WordClass:
        if len(self) > 50_000:
            self.clear()
        kind = self[word] = _kind(word)
        return kind


def _kind(word: str) -> WordClass:
    for kind, members in _LISTED:
        if word in members:
            return kind
    if not word[0].isalpha():
        # "3d" and "2,4-dichloro" open a name; "12", "1.5" and "12a" number something.
        if not word[0].isdigit():
            return WordClass.MARK
        return WordClass.OPEN if "-" in word else WordClass.NUMBER
    if word.endswith(_GLUED) and len(word) > 9:
        return WordClass.GLUED
    if "-" in word:
        return WordClass.OPEN
    for kind, endings, length, exceptions in _ENDING:
        if word.endswith(endings) and len(word) >= length and word not in exceptions:
            return kind
    return WordClass.OPEN


_LISTED = (
    (WordClass.CLOSED, CLOSED),
    (WordClass.ORDINAL, ORDINALS),
    (WordClass.PARTICIPLE, IRREGULAR),
    (WordClass.FINITE, FINITE),
    (WordClass.MAYBE_FINITE, MAYBE_FINITE),
    (WordClass.AFTER_NOUN, AFTER_NOUN | ADVERBS),
    (WordClass.VERB, VERBS),
    (WordClass.NOUN_VERB, NOUN_VERBS),
)
_ENDING: tuple[tuple[WordClass, tuple[str, ...], int, frozenset[str]], ...] = (
    (WordClass.OWNER, ("'s", "’s"), 3, frozenset()),
    (WordClass.LY, ("ly",), 3, NOT_LY),
    (WordClass.ING, ("ing",), 5, NOUNS_ING),
    (WordClass.PARTICIPLE, ("ed",), 4, NOUNS_ED),
    (WordClass.AFTER_NOUN, ("able", "ible"), 7, frozenset()),
)
_GLUED = ("wherein", "whereby")
_KINDS = _Kinds()


def word_class_of(word: str) -> WordClass:
    """How a lower-case word or mark may stand in a noun phrase."""
    return _KINDS[word]


_OUTSIDE = frozenset({WordClass.CLOSED, WordClass.MARK, WordClass.NUMBER})


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
    lowers = [word.lower for word in words]
    kinds = [_KINDS[lower] for lower in lowers]
    lowers.extend("...")  # past the end, as far as is looked ahead
    kinds.append(WordClass.MARK)
    found: list[Phrase] = []
    size = len(words)
    at = 0
    while at < size:
        lower = lowers[at]
        if lower == "set" and lowers[at + 1] in _FORTH:
            at += 2  # a verb: "the method set forth in", "the steps set out below"
            continue
        outside = kinds[at] in _OUTSIDE
        if outside and lower not in _OPENERS:
            at += 1
            continue
        opening = _Opening(lowers, kinds, at, at)
        if outside or lower in NUMERALS:
            _determine(opening)
            if opening.determiner is Determiner.NONE:
                at = max(opening.at, at + 1)
                continue
        phrase, last = _run(words, opening)
        if phrase is not None:
            found.append(phrase)
        at = max(last, opening.begin + 1)
    return found


@dataclass(slots=True)
class _Opening:
    """The determiners of a phrase as far as they are read: lowers[begin:at]. A few marks follow the last
    word, so that one may look ahead."""

    lowers: list[str]
    kinds: list[WordClass]
    begin: int
    at: int
    determiner: Determiner = Determiner.NONE
    several: bool = False

    def word(self, ahead: int = 0) -> str:
        """The lower-case word so far ahead; "." past the end."""
        return self.lowers[self.at + ahead]

    def make(self, determiner: Determiner, several: bool | None = None) -> bool:
        """Takes the word at hand as a determiner that is at least so strong."""
        self.determiner = max(self.determiner, determiner)
        if several is not None:
            self.several = several
        return True


def _open_definite(opening: _Opening) -> bool:
    if opening.at > opening.begin and opening.lowers[opening.at - 1] == "of":
        opening.begin = opening.at
    return opening.make(Determiner.SAID if opening.word() == "said" else Determiner.THE, several=False)


def _open_demonstrative(opening: _Opening) -> bool:
    return opening.make(Determiner.THESE, several=True)


def _open_such(opening: _Opening) -> bool:
    """ "such pins", "each such pin"; not "such as", "such that" and "such a pin"."""
    return opening.kinds[opening.at + 1] not in _OUTSIDE and opening.make(Determiner.THE)


def _open_inner(opening: _Opening) -> bool:
    """ "the other pin", "the only pin"."""
    return opening.determiner >= Determiner.THE and opening.lowers[opening.at - 1] != "of"


def _open_indefinite(opening: _Opening) -> bool:
    if opening.determiner >= Determiner.THE:
        return False
    opening.determiner = Determiner.INDEFINITE
    return True


def _open_quantified(opening: _Opening) -> bool:
    if opening.determiner >= Determiner.THE:
        return False
    opening.determiner = Determiner.EACH
    return True


def _open_counted(opening: _Opening) -> bool:
    return opening.make(Determiner.NUMBER, several=True)


def _open_digits(opening: _Opening) -> bool:
    """ "the 3 pins"; not "the 3 mm" and not a reference numeral."""
    counts = opening.kinds[opening.at + 1] is WordClass.OPEN and opening.word(1) not in UNITS
    return opening.determiner >= Determiner.THE and counts and _open_counted(opening)


def _open_one(opening: _Opening) -> bool:
    """ "one", "one or more"."""
    if (opening.word(1), opening.word(2)) != ("or", "more"):
        return opening.make(Determiner.NUMBER)
    opening.at += 2
    return opening.make(Determiner.NUMBER, several=True)


def _open_at_least(opening: _Opening) -> bool:
    if opening.word(1) != "least":
        return False
    opening.at += 1
    return True


def _open_following(opening: _Opening) -> bool:
    """ "the following steps" introduces them."""
    if opening.determiner is not Determiner.THE:
        return False
    opening.determiner = Determiner.NUMBER
    return True


_OPENERS: dict[str, Callable[[_Opening], bool]] = {
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


def _open_collective(opening: _Opening) -> bool:
    """Takes "plurality of" and the like. False for "the number of", which is a phrase of its own."""
    word = opening.word()
    if not opening.determiner or word not in COLLECTIVE or opening.word(1) != "of":
        return True
    if word == "number" and opening.determiner >= Determiner.THE:
        return False
    opening.at += 2
    return opening.make(Determiner.NUMBER, opening.several or word in COLLECTIVE_PLURAL)


def _determine(opening: _Opening) -> None:
    """Takes the determiners at hand; none if no noun follows them. "each of the pins" begins at "the"."""
    while True:
        word = opening.lowers[opening.at]
        opens = _OPENERS.get(word) or (_open_digits if word.isdigit() else None)
        if opens is None or not opens(opening):
            break
        opening.at += 1
        if not _open_collective(opening):
            break
    if opening.kinds[opening.at] in _OUTSIDE:
        opening.determiner = Determiner.NONE


_AGENTS = ("er", "or")
_TOGETHER = frozenset({"and", "or"})
_NOUNS = frozenset({WordClass.OPEN, WordClass.NOUN_VERB})
_WORDS_OF_A_THING = 5
_TAILS = {WordClass.OWNER: 2, WordClass.GLUED: 7}
"""Letters at the end of a word that do not belong to it, and with which the phrase ends."""


def _run(words: Sequence[Word], opening: _Opening) -> tuple[Phrase | None, int]:
    """The phrase whose words begin where the determiners end, and the index after it."""
    lowers, kinds = opening.lowers, opening.kinds
    taken: list[str] = []
    ends: list[int] = []
    cuts: list[int] = []
    at = opening.at
    tail = 0
    while len(taken) < _LONGEST and not tail:
        kind = kinds[at]
        if kind in _OUTSIDE:
            if taken and (_joins(words, kinds, at) if lowers[at] == "/" else _joins_gerunds(opening, at)):
                at += 1
                continue
            break
        if taken:
            goes_on = _goes_on(opening, at, taken[-1])
            if goes_on is _GoesOn.NO:
                break
            if goes_on is _GoesOn.PERHAPS and cuts[-1:] != [len(taken)]:
                cuts.append(len(taken))
        if kind is not WordClass.LY or kinds[at + 1] in _OUTSIDE:
            tail = _TAILS.get(kind, 0)
            taken.append(lowers[at][:-tail] if tail else lowers[at])
            ends.append(words[at].end - tail)
        at += 1
    if not taken:
        return None, max(at, opening.at + 1)
    size = _numeral(lowers, kinds, at) if kinds[at] in _OUTSIDE else 0
    numeral = lowers[at + size // 2] if size else ""
    if size:
        at += size
        ends[-1] = words[at - 1].end
    phrase = Phrase(
        opening.determiner,
        words[opening.begin].start,
        opening.at,
        at,
        tuple(taken),
        tuple(ends),
        _possible(taken, cuts) if cuts else (),
        opening.several or is_plural(taken[-1]),
        numeral,
        tuple(lowers[opening.begin : opening.at]),
    )
    return phrase, at


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
    kind = _KINDS[words[cut]]
    if kind is WordClass.PARTICIPLE:
        return _KINDS[last] is WordClass.OPEN
    return kind is WordClass.ING and (last in THINGS or last.endswith(_AGENTS))


def _joins(words: Sequence[Word], kinds: list[WordClass], at: int) -> bool:
    """Whether the slash at `at` stands within a name: "input/output port"."""
    return (
        kinds[at + 1] not in _OUTSIDE
        and words[at - 1].end == words[at].start
        and words[at].end == words[at + 1].start
    )


def _joins_gerunds(opening: _Opening, at: int) -> bool:
    """Whether "and" or "or" stands between two gerunds of one thing: "a door opening and closing unit"."""
    lowers, kinds = opening.lowers, opening.kinds
    if not (opening.determiner and lowers[at] in _TOGETHER):
        return False
    if not (lowers[at - 1].endswith("ing") and lowers[at + 1].endswith("ing")):
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
        return self.after in _OUTSIDE


def _yes(_: _Next) -> _GoesOn:
    return _GoesOn.YES


def _no(_: _Next) -> _GoesOn:
    return _GoesOn.NO


def _with_open(each: _Next) -> _GoesOn:
    forth = each.word == "set" and each.following in _FORTH
    # "the scheduler empties the queue", "the record encoding a name": verbs that no list has
    third_person = is_plural(each.word) and not each.wanted
    verb = each.following in ARTICLES and (each.word.endswith("ing") or third_person)
    return _GoesOn.NO if forth or verb else _GoesOn.YES


def _with_adverb(each: _Next) -> _GoesOn:
    ordinal = _KINDS[each.before] is WordClass.ORDINAL
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
    if not is_plural(each.before):
        return _GoesOn.YES
    return _GoesOn.NO if each.following in OBJECT_OPENERS else _GoesOn.PERHAPS


_GOING_ON: dict[WordClass, Callable[[_Next], _GoesOn]] = {
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


def _goes_on(opening: _Opening, at: int, before: str) -> _GoesOn:
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
