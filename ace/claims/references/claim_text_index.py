"""What the text of a claim tells by itself, whatever the other claims: its names, and its words.

A phrase is known by its key: the lemmas of its words written together, so that "band-pass filter",
"band pass filters" and "bandpass filter" are one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ace.claims.language.lexicon import (
    CLOSED,
    EMPTY,
    HOLDING,
    INDEFINITE,
    JOINING,
    NEGATING,
    ORDINALS,
    TWOFOLD,
)
from ace.claims.language.noun_phrases import Determiner, Kind, Phrase, kind_of
from ace.claims.language.words import Word, is_plural, lemma

_ADJECTIVES = ("al", "ive", "ic", "ous", "ary", "ar", "able", "ible")


def shares_head(phrase: Phrase) -> bool:
    """Whether a phrase of one word is only a qualifier, so that its noun must stand further on."""
    if len(phrase.words) != 1 or phrase.determiner >= Determiner.THE:
        return False
    word = phrase.words[0]
    if word in TWOFOLD or word in ORDINALS:
        return True
    adjective = word.endswith(_ADJECTIVES) or kind_of(word) in {Kind.PARTICIPLE, Kind.ING, Kind.AFTER_NOUN}
    return adjective and phrase.determiner is Determiner.NONE


def _joined(between: Sequence[Word]) -> bool:
    """Whether the words between two phrases are "and", "or", a comma, and an article at most."""
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


class Place(NamedTuple):
    """Where something is introduced: the phrase, and its offset."""

    start: int
    phrase: Phrase


@lru_cache(maxsize=32_768)
def name_of(words: tuple[str, ...]) -> Name:
    """The name that these lower-case words give; words that tell nothing apart are left out."""
    head = lemma(words[-1])
    telling = [lemma(word) for word in words[:-1] if word not in EMPTY]
    qualifiers = frozenset(part for word in telling for part in word.split("-")) if telling else frozenset()
    if "-" in head:
        *front, head = head.split("-")
        head = lemma(head)
        qualifiers |= frozenset(front)
        telling.extend(front)
    return Name("".join(telling).replace("-", "") + head, head, qualifiers)


class Told(NamedTuple):
    """What a text tells by itself, whatever the other claims: its words, its phrases that speak of things,
    the names that those introduce which are not definite, each with its place and whether it stands for
    several, and where each word first stands; the parts of a hyphenated word too. `lemmas` are all lemmas.
    """

    words: Sequence[Word]
    phrases: Sequence[Phrase]
    names: Sequence[tuple[Name, Place, bool]]
    first: Mapping[str, int]
    lemmas: Collection[str]


def told(words: Sequence[Word], phrases: Sequence[Phrase]) -> Told:
    """What a text of these words and phrases tells."""
    names: list[tuple[Name, Place, bool]] = []
    for phrase in phrases:
        if phrase.determiner < Determiner.THE and not _absent(words, phrase.first):
            names.extend(_names_in(phrase))
            if phrase.determiner is Determiner.NUMBER and _at_least_one(words, phrase.first):
                names.append((name_of(phrase.words), Place(phrase.start, phrase), not phrase.several))
    names.extend(_shared_names(phrases, words))
    first: dict[str, int] = {}
    lemmas: dict[str, None] = {}
    for word in words:
        lower = word.lower
        if lower in first or not lower[0].isalpha() or lower in CLOSED:
            continue
        first[lower] = word.start
        for part in lower.split("-") if "-" in lower else (lemma(lower),):
            single = lemma(part)
            first.setdefault(single, word.start)
            lemmas[single] = None
    return Told(words, phrases, names, first, tuple(lemmas))


def _names_in(phrase: Phrase) -> Iterator[tuple[Name, Place, bool]]:
    """Every name that a phrase may give which is not definite."""
    words, place = phrase.words, Place(phrase.start, phrase)
    yield name_of(words), place, phrase.several
    for cut in phrase.cuts:
        several = is_plural(words[cut - 1]) or phrase.determiner is Determiner.NUMBER
        yield name_of(words[:cut]), place, several
    if phrase.determiner is Determiner.INDEFINITE and len(words) > 1 and is_plural(words[-1]):
        # "a token expires": after "a" no plural stands, so that the last word is a verb.
        yield name_of(words[:-1]), place, False
    if phrase.determiner is Determiner.NONE and len(words) > 1:
        for begin in range(1, min(len(words), 4)):
            if not leads(words[begin - 1]):
                break
            yield name_of(words[begin:]), place, phrase.several


def _shared_names(phrases: Sequence[Phrase], words: Sequence[Word]) -> Iterator[tuple[Name, Place, bool]]:
    """What "first, second and third walls" and "an upper and a lower wall" introduce beside the last: a
    first wall, a second wall; an upper wall."""
    for place in range(len(phrases) - 1, 0, -1):
        last = phrases[place]
        if len(last.words) < 2 or last.determiner >= Determiner.THE:
            continue
        at = place - 1
        while (
            at >= 0 and shares_head(phrases[at]) and _joined(words[phrases[at].last : phrases[at + 1].first])
        ):
            tail = last.words[1:] if shares_head(last._replace(words=last.words[:1])) else last.words
            yield name_of((*phrases[at].words, *tail)), Place(phrases[at].start, phrases[at]), False
            at -= 1
        if at < place - 1:
            yield name_of(last.words), Place(last.start, last), False


def _absent(words: Sequence[Word], first: int) -> bool:
    """Whether the noun at `first` is told to be absent: "without a lid", "free of oil", "not a lid"."""
    if not first:
        return False
    last = words[first - 1].lower
    if last in _ARTICLES and first > 1:
        first -= 1
        last = words[first - 1].lower
        if last == "not" or (last in HOLDING and first > 1 and words[first - 2].lower == "not"):
            return True
    return last in NEGATING or (last == "of" and first > 1 and words[first - 2].lower in _FREE)


def _at_least_one(words: Sequence[Word], first: int) -> bool:
    return first > 1 and words[first - 1].lower == "one" and words[first - 2].lower == "least"


_ARTICLES = frozenset({"a", "an", "any"})
_FREE = frozenset({"free", "devoid"})
_LEADING = frozenset(
    {
        Kind.LY,
        Kind.ING,
        Kind.VERB,
        Kind.NOUN_VERB,
        Kind.FINITE,
        Kind.MAYBE_FINITE,
        Kind.AFTER_NOUN,
    }
)


def leads(word: str) -> bool:
    """Whether a bare run may begin its noun only after this word: "receiving data", "detect motion".

    Not after a participle: "combined data" is a kind of data, and tells nothing of other data.
    """
    return kind_of(word) in _LEADING
