"""The index of one claim's text: the names that it introduces, and its words, whatever the other claims say.

A phrase is known by its key: the lemmas of its words written together, so that "band-pass filter",
"band pass filters" and "bandpass filter" are one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import chain, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from ace.claims.language.lexicon import (
    CLOSED,
    EMPTY,
    HOLDING,
    INDEFINITE,
    JOINING,
    NEGATING,
    ORDINALS,
    PHRASAL,
    TWOFOLD,
)
from ace.claims.language.noun_phrases import PARTICIPIAL, Determiner, Phrase, WordClass, word_class_of
from ace.claims.language.words import Word, is_plural, lemma

# Python 3.11 is slow to reach a member of an enum by name.
_INDEFINITE: Final = Determiner.INDEFINITE
_NONE: Final = Determiner.NONE
_NUMBER: Final = Determiner.NUMBER
_THE: Final = Determiner.THE
_ADJECTIVES: Final = ("al", "ive", "ic", "ous", "ary", "ar", "able", "ible")


def shares_head(phrase: Phrase) -> bool:
    """Whether a phrase of one word is only a qualifier, whose noun comes later."""
    if len(phrase.words) != 1 or phrase.determiner >= _THE:
        return False
    word = phrase.words[0]
    if word in TWOFOLD or word in ORDINALS:
        return True
    adjective = word.endswith(_ADJECTIVES) or word_class_of(word) in PARTICIPIAL
    return adjective and phrase.determiner is _NONE


def _are_joined(between: Sequence[Word]) -> bool:
    """Whether only "and", "or", commas and an article are between two phrases."""
    return (
        0 < len(between) <= 3
        and between[0].lower in JOINING
        and all(word.lower in JOINING or word.lower in INDEFINITE for word in between)
    )


class Name(NamedTuple):
    """What a phrase calls its thing: `key` to compare it whole, its head, and its qualifiers."""

    key: str
    head: str
    qualifiers: frozenset[str]


class Occurrence(NamedTuple):
    """A phrase that has a name, and its offset."""

    start: int
    phrase: Phrase


occurrence = partial(tuple.__new__, Occurrence)  # quicker than Occurrence(…)


@lru_cache(maxsize=32_768)
def name_of(words: tuple[str, ...]) -> Name:
    """The name that these lower-case words give; words that distinguish nothing are left out."""
    head = lemma(words[-1])
    distinguishing = [lemma(word) for word in words[:-1] if word not in EMPTY]
    qualifiers = (
        frozenset(part for word in distinguishing for part in word.split("-"))
        if distinguishing
        else frozenset()
    )
    if "-" in head:
        *front, head = head.split("-")
        head = lemma(head)
        qualifiers |= frozenset(front)
        distinguishing.extend(front)
    return Name("".join(distinguishing).replace("-", "") + head, head, qualifiers)


@dataclass(eq=False)
class ClaimTextIndex:
    """The words of a text and its phrases that name things.

    `names` are the names that indefinite phrases introduce, each with its occurrence and whether it is
    plural.
    """

    words: Sequence[Word]
    phrases: Sequence[Phrase]
    names: Sequence[tuple[Name, Occurrence, bool]]

    @cached_property
    def lemmas(self) -> Collection[str]:
        """The lemmas of the words, and of the parts of those with hyphens."""
        return dict.fromkeys(chain.from_iterable(map(_lemmas_of, map(itemgetter(0), self.words))))

    @cached_property
    def first(self) -> Mapping[str, int]:
        """The first offset of each word, its lemma, and the parts of a hyphenated word."""
        first: dict[str, int] = {}
        for lower, start, _ in self.words:
            if lower not in first and (lemmas := _lemmas_of(lower)):
                first[lower] = start
                for each in lemmas:
                    first.setdefault(each, start)
        return first


@lru_cache(maxsize=16_384)
def _lemmas_of(word: str) -> tuple[str, ...]:
    """The lemma of a lower-case word, or those of the parts of one with hyphens; of marks, numbers and words
    that stand in no phrase none."""
    if word in CLOSED or not word[0].isalpha():
        return ()
    return tuple(map(lemma, word.split("-") if "-" in word else (lemma(word),)))


def index_of(words: Sequence[Word], phrases: Sequence[Phrase]) -> ClaimTextIndex:
    """The index of a text with these words and phrases."""
    names: list[tuple[Name, Occurrence, bool]] = []
    for phrase in phrases:
        if phrase.determiner < _THE and not (_is_absent(words, phrase.first) or _is_phrasal(words, phrase)):
            place = occurrence((phrase.start, phrase))
            names.append((name_of(phrase.words), place, phrase.several))
            if len(phrase.words) > 1:
                names.extend(_shorter_names(phrase, place))
            if phrase.determiner is _NUMBER and _at_least_one(words, phrase.first):
                names.append((name_of(phrase.words), place, not phrase.several))
    names.extend(_shared_names(phrases, words))
    names.extend(_governed(phrases))
    names.extend(_counted_out(phrases, words))
    names.extend(_grouped(phrases, words))
    names.extend(_abbreviated(phrases, words))
    return ClaimTextIndex(words, phrases, names)


def _shorter_names(phrase: Phrase, place: Occurrence) -> Iterator[tuple[Name, Occurrence, bool]]:
    """What an indefinite phrase of several words may be called besides its full name."""
    words = phrase.words
    for cut in phrase.cuts:
        several = is_plural(words[cut - 1]) or phrase.determiner is _NUMBER
        yield name_of(words[:cut]), place, several
    if phrase.determiner is _INDEFINITE and is_plural(words[-1]):
        # "a token expires": no plural follows "a", so the last word is a verb.
        yield name_of(words[:-1]), place, False
    if phrase.determiner is _NONE:
        for begin in range(1, min(len(words), 4)):
            if not leads(words[begin - 1]):
                break
            yield name_of(words[begin:]), place, phrase.several


def _governed(phrases: Sequence[Phrase]) -> Iterator[tuple[Name, Occurrence, bool]]:
    """ "Services" of "the network supports services": the object of a verb that a phrase may hold, without an
    article because there are several."""
    for phrase in phrases:
        if phrase.cuts and phrase.several and phrase.definite:
            tail = phrase.words[phrase.cuts[-1] + 1 :]
            if tail and word_class_of(phrase.words[phrase.cuts[-1]]) in _GOVERNING:
                yield name_of(tail), Occurrence(phrase.start, phrase), True


_GOVERNING: Final = frozenset({WordClass.ING, WordClass.MAYBE_FINITE, WordClass.VERB})


def _shared_names(
    phrases: Sequence[Phrase], words: Sequence[Word]
) -> Iterator[tuple[Name, Occurrence, bool]]:
    """Names that share the noun of the last phrase: "a first wall" and "a second wall" of "first, second and
    third walls", "an upper wall" of "an upper and a lower wall"."""
    for place in range(len(phrases) - 1, 0, -1):
        last = phrases[place]
        if len(last.words) < 2 or last.determiner >= _THE:
            continue
        at = place - 1
        while at >= 0 and _are_joined(words[phrases[at].last : phrases[at + 1].first]):
            sharing = _without_verb(phrases[at])
            if not shares_head(sharing):
                break
            tail = last.words[1:] if shares_head(last._replace(words=last.words[:1])) else last.words
            yield name_of((*sharing.words, *tail)), Occurrence(sharing.start, phrases[at]), False
            at -= 1
        if at < place - 1:
            yield name_of(last.words), Occurrence(last.start, last), False


def _without_verb(phrase: Phrase) -> Phrase:
    """The phrase without the verb before its only other word: "includes first" of "includes first and second
    walls"."""
    bare = phrase.determiner is _NONE and len(phrase.words) == 2
    return phrase._replace(words=phrase.words[1:]) if bare and leads(phrase.words[0]) else phrase


def _counted_out(phrases: Sequence[Phrase], words: Sequence[Word]) -> Iterator[tuple[Name, Occurrence, bool]]:
    """ "A first pin" of "a first of the pins" and "a first one of the pins"."""
    for one, all_of_them in pairwise(phrases):
        if len(one.words) == 1 and one.words[0] in ORDINALS and one.determiner < _THE:
            between = words[one.last : all_of_them.first - len(all_of_them.opening)]
            if tuple(word.lower for word in between) in _OUT_OF:
                yield name_of((*one.words, *all_of_them.words)), Occurrence(one.start, one), False


def _grouped(phrases: Sequence[Phrase], words: Sequence[Word]) -> Iterator[tuple[Name, Occurrence, bool]]:
    """ "First pins" of "a first plurality of pins"."""
    for group, members in pairwise(phrases):
        if len(group.words) < 2 or group.words[-1] not in _GROUPS or members.determiner is not _NONE:
            continue
        counted = group.determiner < _THE and group.words[0] in ORDINALS
        if counted and members.first == group.last + 1 and words[group.last].lower == "of":
            yield name_of((*group.words[:-1], *members.words)), Occurrence(group.start, members), True


def _abbreviated(phrases: Sequence[Phrase], words: Sequence[Word]) -> Iterator[tuple[Name, Occurrence, bool]]:
    """ "A first BPF" of "a first band pass filter (BPF)", which is also "a first BPF circuit" if a circuit
    follows, and "a two-phase ATPS" of "an aqueous two-phase system (ATPS)"."""
    for place, (phrase, short) in enumerate(pairwise(phrases)):
        if (
            short.first == phrase.last + 1
            and len(short.words) == 1
            and short.last < len(words)
            and phrase.determiner < _THE
            and words[phrase.last].lower == "("
            and words[short.last].lower == ")"
        ):
            at = Occurrence(phrase.start, phrase)
            kept = _before_initials(phrase.words, short.words[0])
            if kept is not None:
                name = name_of((*(kept or phrase.words[:-1]), *short.words))
                yield name, at, phrase.several
                if is_plural(short.words[0]):  # "ATPS"
                    yield name, at, True
            behind = phrases[place + 2] if place + 2 < len(phrases) else None
            if behind is not None and behind.first == short.last + 1 and not behind.opening:
                yield name_of((*(kept or ()), *short.words, *behind.words)), at, behind.several


def _before_initials(words: Sequence[str], short: str) -> Sequence[str] | None:
    """The words before those whose initials `short` is; the ordinal if it is made in another way, and None
    without one."""
    spellings = {short, lemma(short)}
    for begin in range(len(words)):
        parts = (part for word in words[begin:] for part in word.split("-"))
        if "".join(part[:1] for part in parts) in spellings:
            return words[:begin]
    return words[:1] if words[0] in ORDINALS else None


def _is_absent(words: Sequence[Word], first: int) -> bool:
    """Whether the noun at `first` is said to be absent: "without a lid", "free of oil", "not a lid"."""
    if not first:
        return False
    last = words[first - 1].lower
    if last in _ARTICLES and first > 1:
        first -= 1
        last = words[first - 1].lower
        if last == "not" or (last in HOLDING and first > 1 and words[first - 2].lower == "not"):
            return True
    return last in NEGATING or (last == "of" and first > 1 and words[first - 2].lower in _FREE)


def _is_phrasal(words: Sequence[Word], phrase: Phrase) -> bool:
    """Whether the noun is part of a preposition: "in contact with", "in fluid communication with"."""
    if phrase.determiner is not _NONE or phrase.words[-1] not in PHRASAL or not phrase.first:
        return False
    return words[phrase.first - 1].lower in _PHRASAL_OPENERS


def _at_least_one(words: Sequence[Word], first: int) -> bool:
    return first > 1 and words[first - 1].lower == "one" and words[first - 2].lower == "least"


_GROUPS: Final = frozenset({"group", "pair", "plurality", "series", "set"})
_OUT_OF: Final = frozenset({("of",), ("one", "of"), ("ones", "of")})
_ARTICLES: Final = frozenset({"a", "an", "any"})
_PHRASAL_OPENERS: Final = frozenset({"in", "into", "with"})
_FREE: Final = frozenset({"free", "devoid"})
_LEADING: Final = frozenset(
    {
        WordClass.LY,
        WordClass.ING,
        WordClass.VERB,
        WordClass.NOUN_VERB,
        WordClass.FINITE,
        WordClass.MAYBE_FINITE,
        WordClass.AFTER_NOUN,
    }
)


def leads(word: str) -> bool:
    """Whether a phrase without article may begin with this word before its noun: "receiving data".

    Not with a participle: "combined data" is a kind of data, and introduces no other data.
    """
    return word_class_of(word) in _LEADING
