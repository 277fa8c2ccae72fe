"""Words and marks of a claim, and the two reductions by which words are compared.

`lemma` is the singular of a noun; `root` what a verb and the nouns made of it share. Both are guesses
from the spelling: good enough to compare two words of one claim set, not to show to anyone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, wraps
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, TypeVarTuple

from ace.claims.language.tables import table, word_list

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper


def _words_of(letter: str, within: str, joining: str) -> re.Pattern[str]:
    """Words, numbers and marks, given what letters are, what else stands within a word, and what joins its
    parts.

    A power or upper index belongs to its word or number: "R^1", "10^4".
    """
    return re.compile(
        rf"{letter}{within}*+(?:{joining}{within}++)*+(?:\^{within}++)?+"
        rf"|[0-9]+(?:[.,][0-9]+)*(?:\^[-−–]?[0-9]+)?(?:(?:st|nd|rd|th|d|g)\b|(?:[-‐‑]{letter}{within}*)+|[a-z]\b)?"
        r"|[^\s\w]|\w"
    )


_WORD: Final = _words_of(r"[^\W\d_]", r"[^\W_]", "[-‐‑'’]")
_ASCII_WORD: Final = _words_of("[A-Za-z]", "[A-Za-z0-9]", "[-']")  # quicker, for most claims
_PART: Final = re.compile(r"[^\W_]+")
_NEAR_CLAIM: Final = (
    "(?:according|claimed|recited|defined|as|any|either|one|of|in|to|by|with|per|the|or|and"
    "|preceding|previous)"
)
GLUED_TO_CLAIM: Final = re.compile(rf"(?<![^\W_]){_NEAR_CLAIM}{{1,5}}\Z", re.IGNORECASE)
"""The end of a text in words that scans join to the word "claim" after them: "ofclaim 1", "anyofclaims"."""

LOST: Final = (
    r"\[\s?(?:[Ff]ormula|[Ii]mage|[Tt]able|[Ss]tructure|[Cc]hem\w*|[Ee]quation|[Mm]ath\w*)\b[^\]]{0,20}\]"
)
"""Pattern of what texts show in the place of a formula, image or table that they have lost."""

_IRREGULAR: Final[dict[str, str]] = table("morphology")["irregular_plurals"]
_SINGULAR_ENDINGS: Final[dict[str, str]] = table("morphology")["plural_endings"]
_IRREGULAR_ENDINGS: Final = tuple(_SINGULAR_ENDINGS)
VERB_OF_PARTICIPLE: Final[dict[str, str]] = table("morphology")["irregular_participles"]
"""The verb of each participle that no rule forms: "send" of "sent"."""
_UNCHANGED: Final = word_list("morphology", "unchanged")
_NOT_SUPERLATIVE: Final = word_list("morphology", "not_superlative")
# Endings of singulars: "glass", "radius", "analysis", "biogas". An abbreviation is a plural: "gpus".
_SINGULAR: Final = re.compile(r"(?![^aeiouy]{2,}us\Z).*(?:ss|us|is|.gas|.lens)\Z")
_REGULAR_ENDINGS: Final = (
    ("ies", 3, "y"),
    ("sses", 2, ""),
    ("xes", 2, ""),
    ("ches", 2, ""),
    ("shes", 2, ""),
    ("zzes", 2, ""),
    ("tzes", 2, ""),
    ("oes", 2, ""),
)
"""The ending of a plural, how many letters to take off, and what to put there; else the "-s" goes."""


def _derivations() -> tuple[tuple[str, str], ...]:
    """Endings that make one word of another, the longest first, and what they leave behind."""
    left: dict[str, str] = dict.fromkeys(word_list("morphology", "derivations"), "")
    left |= table("morphology")["replaced_derivations"]
    return tuple(sorted(left.items(), key=lambda each: (-len(each[0]), each[0])))


_DERIVATIONS: Final = _derivations()
# "-ated" of "created" and "-ive" of "receive" are no endings.
_BELONGING: Final = {ending: "eo" for ending, _ in _DERIVATIONS if ending.startswith("at")} | {"ive": "aeior"}
_DERIVED_ENDINGS: Final = tuple(ending for ending, _ in _DERIVATIONS)


class Word(NamedTuple):
    """A word, a number or a mark: text[start:end], and its lower case.

    A hyphenated word is one word; a measure ("5 mm", "5mm") or a range of numbers is several.
    """

    lower: str
    start: int
    end: int


word_start = attrgetter("start")


KEPT_CHARACTERS: Final = 400_000
"""Characters of the texts whose reading is kept: twice as many as the largest set that is checked has."""
_LEAST_CHARACTERS: Final = 100
"""What a shorter text counts."""

_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


def kept_by_text(read: Callable[[str, *_Given], _Made]) -> _lru_cache_wrapper[_Made]:
    """The function, whose results are kept until KEPT_CHARACTERS of text have been read.

    A claim is read for its references, its phrases and each check, after all other claims of its set, and
    again with each claim that depends on it. The other arguments are hashable.
    """
    room = KEPT_CHARACTERS

    @cache
    @wraps(read)
    def kept(text: str, *given: *_Given) -> _Made:
        nonlocal room
        room -= max(len(text), _LEAST_CHARACTERS)
        if room < 0:
            kept.cache_clear()
            room = KEPT_CHARACTERS
        return read(text, *given)

    return kept


_tuple = tuple.__new__  # quicker than Word(…)
_span = re.Match.span
_CLAIM_MAY_BE_JOINED: Final = re.compile(r"laim(?:(?<=[a-z]claim)|s?-?[0-9l])")
_RANGE_MAY_BE_JOINED: Final = re.compile(r"[0-9](?:to|or|and|through)[0-9]")
_JOINED: Final = re.compile(
    rf"(?<![^\W_]){_NEAR_CLAIM}{{0,5}}claims?(?:-?[0-9l][0-9]*+(?:(?:to|or|and|[-‐‑])[0-9]++)*+)?(?![^\W_])"
    r"|(?:to|or|and|through)[0-9]++(?![^\W_])",
    re.IGNORECASE,
)
_PART_OF_JOINED: Final = re.compile(rf"{_NEAR_CLAIM}|claims?|[0-9]+|l", re.IGNORECASE)


def split_words(text: str) -> Sequence[Word]:
    """All words, numbers and marks in order. What a scan has joined is several: "ofclaim", "claims1to3"."""
    words, lower = _split(text), text.lower()
    if _CLAIM_MAY_BE_JOINED.search(lower) or _RANGE_MAY_BE_JOINED.search(lower):
        return [part for word in words for part in _parted(word)]
    return words


def _parted(word: Word) -> Sequence[Word]:
    """The words that a scan has joined to this one, or the word alone."""
    lower, at, _ = word
    if _JOINED.fullmatch(lower) is None:
        return (word,)
    return [Word(part[0], at + part.start(), at + part.end()) for part in _PART_OF_JOINED.finditer(lower)]


def _split(text: str) -> Sequence[Word]:
    if not text.isascii():  # only then may a letter and its lower case differ in length
        return [Word(match[0].lower(), *match.span()) for match in _WORD.finditer(text)]
    lower = text.lower()
    spans = map(_span, _ASCII_WORD.finditer(text))
    return [_tuple(Word, (lower[start:end], start, end)) for start, end in spans]


words_of = kept_by_text(split_words)
"""The words of a whole claim, which several readers ask for."""


@kept_by_text
def lower_words_of(text: str) -> tuple[str, ...]:
    """The words and marks of a claim in lower case, in order."""
    return tuple(map(itemgetter(0), words_of(text)))


@kept_by_text
def word_set(text: str) -> frozenset[str]:
    """The different words and marks of a claim in lower case, and the parts of words with hyphens: quick to
    ask whether one of them may matter."""
    words = set(map(itemgetter(0), words_of(text)))
    return frozenset(words.union(*(_PART.findall(word) for word in words if not word.isalnum())))


class Triggered:
    """A pattern that can match only in a claim that has one of some words or marks; others are not searched.

    `triggers` are in lower case, words without hyphens.
    """

    def __init__(self, pattern: str, flags: int = 0, *, triggers: Iterable[str]) -> None:
        self.pattern = re.compile(pattern, flags)
        self.triggers = frozenset(triggers)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in a whole claim, or None."""
        return None if self.triggers.isdisjoint(word_set(text)) else self.pattern.search(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The matches in a whole claim, in order."""
        return iter(()) if self.triggers.isdisjoint(word_set(text)) else self.pattern.finditer(text)


@lru_cache(maxsize=16_384)
def lemma(word: str) -> str:
    """The singular of a lower-case noun, of the last part of one with hyphens: "sub-axes", "sub-axis".

    A word that is no plural comes back unchanged. A verb in the third person loses its "-s" too.
    """
    last = word.rpartition("-")[2]
    if last in _IRREGULAR:
        return word.removesuffix(last) + _IRREGULAR[last]
    if last.endswith(_IRREGULAR_ENDINGS):
        plural = next(ending for ending in _IRREGULAR_ENDINGS if last.endswith(ending))
        return word.removesuffix(plural) + _SINGULAR_ENDINGS[plural]
    if len(word) < 4 or word[-1] != "s" or last in _UNCHANGED or _SINGULAR.match(last):
        return word
    return next(
        (word[:-cut] + instead for ending, cut, instead in _REGULAR_ENDINGS if word.endswith(ending)),
        word[:-1],
    )


@lru_cache(maxsize=16_384)
def is_plural(word: str) -> bool:
    """Whether a lower-case noun looks like a plural."""
    return lemma(word) != word


def is_superlative(word: str) -> bool:
    """Whether a lower-case qualifier picks out the utmost one: "thickest", "lowermost"."""
    return word.endswith(("est", "most")) and len(word) > 5 and word not in _NOT_SUPERLATIVE


def plural_of(singular: str) -> str:
    """The regular plural of a lower-case singular."""
    if singular.endswith("y") and singular[-2:-1] not in "aeiou":
        return singular[:-1] + "ies"
    return singular + ("es" if singular.endswith(("s", "x", "z", "ch", "sh")) else "s")


@lru_cache(maxsize=16_384)
def root(word: str) -> str:
    """What "rotate", "rotating", "rotation" and "rotatable" have in common: "rotat"."""
    base = lemma(word)
    for ending, instead in _DERIVATIONS if base.endswith(_DERIVED_ENDINGS) else ():
        stem = len(base) - len(ending)
        if stem >= 3 and base.endswith(ending) and base[stem - 1] not in _BELONGING.get(ending, ""):
            base = base[:stem] + instead
            break
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeiousl":
        base = base[:-1]
    return base[:-1] if len(base) > 3 and base[-1] in "ey" else base


def one_slip(written: str, meant: str) -> bool:
    """Whether one letter is missing, added, changed, or two neighbours are swapped."""
    if written == meant or abs(len(written) - len(meant)) > 1:
        return False
    at = 0
    shorter = min(len(written), len(meant))
    while at < shorter and written[at] == meant[at]:
        at += 1
    if len(written) != len(meant):
        longer, other = (written, meant) if len(written) > len(meant) else (meant, written)
        return longer[at + 1 :] == other[at:]
    swapped = written[at : at + 2] == meant[at : at + 2][::-1] and written[at + 2 :] == meant[at + 2 :]
    return swapped or written[at + 1 :] == meant[at + 1 :]
