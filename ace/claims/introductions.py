"""What the claims of a set introduce, and where: noun phrases by head, and all words by claim.

A phrase is known by its key: the lemmas of its words written together, so that "band-pass filter",
"band pass filters" and "bandpass filter" are one. Built once per set; asked for every definite phrase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ace.claims.lexicon import CLOSED, EMPTY, INDEFINITE, ORDINALS, TWOFOLD
from ace.claims.lexicon_known import HOLDING, NEGATING
from ace.claims.lines import Cover, Lines
from ace.claims.nouns import Determiner, Kind, Phrase, kind_of
from ace.claims.words import Word, is_plural, lemma, one_slip, root

_TYPO_LENGTH = 5
_TYPO_CANDIDATES = 50
MOST_NAMES = 100  # of one head; more of them tell nothing and would cost time


_JOINING = frozenset({"and", "or", ",", "/", "and/or"})


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
        and between[0].lower in _JOINING
        and all(word.lower in _JOINING or word.lower in INDEFINITE for word in between)
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


class Entry:
    """One name with the first places, by claim, where it stands in the singular and in the plural.

    `bad` are the places where a definite phrase of this name has no basis.
    """

    __slots__ = ("bad", "bad_bits", "bits", "name", "places", "plural_bits", "singular_bits", "twice_bits")

    def __init__(self, name: Name) -> None:
        self.name = name
        self.places: dict[int, Place] = {}
        self.bad: dict[int, Place] = {}
        self.bad_bits = 0
        self.bits = 0
        self.singular_bits = 0
        self.plural_bits = 0
        self.twice_bits = 0


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


class Introductions:
    """All names of a claim set, and all its words."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.heads: dict[str, dict[str, Entry]] = {}
        self._first: dict[int, dict[str, int]] = {}
        self._word_bits: dict[str, int] = {}
        self._phrases: dict[int, Sequence[Phrase]] = {}
        self._words: dict[int, Sequence[Word]] = {}
        self._free_first: dict[int, dict[str, int]] | None = None
        self._free_bits: dict[str, int] = {}
        self._by_root: dict[str, list[str]] | None = None
        self._by_shape: dict[tuple[str, int], list[str]] | None = None
        self._by_initials: dict[str, list[Entry]] | None = None

    def add_claim(self, number: int, words: Sequence[Word], phrases: Sequence[Phrase]) -> None:
        """Takes in the words of a claim and all of its phrases that are not definite."""
        self._add_words(number, words)
        self._phrases[number] = phrases
        for phrase in phrases:
            if phrase.determiner < Determiner.THE and not _absent(words, phrase.first):
                self._add(number, phrase)
                if phrase.determiner is Determiner.NUMBER and _at_least_one(words, phrase.first):
                    self._put(number, name_of(phrase.words), Place(phrase.start, phrase), not phrase.several)
        self._add_shared(number, phrases, words)

    def _add_words(self, number: int, words: Sequence[Word]) -> None:
        """Takes in where each word of the claim first stands; the parts of a hyphenated one too."""
        self._words[number] = words
        first: dict[str, int] = {}
        bit = self.lines.bit[number]
        bits = self._word_bits
        for word in words:
            lower = word.lower
            if lower in first or not lower[0].isalpha() or lower in CLOSED:
                continue
            first[lower] = word.start
            for part in lower.split("-") if "-" in lower else (lemma(lower),):
                single = lemma(part)
                first.setdefault(single, word.start)
                bits[single] = bits.get(single, 0) | bit
        self._first[number] = first

    def _add(self, number: int, phrase: Phrase) -> None:
        """Takes in a phrase that is not definite, under every name that it may give."""
        start, words = phrase.start, phrase.words
        self._put(number, name_of(words), Place(start, phrase), phrase.several)
        for cut in phrase.cuts:
            several = is_plural(words[cut - 1]) or phrase.determiner is Determiner.NUMBER
            self._put(number, name_of(words[:cut]), Place(start, phrase), several)
        if phrase.determiner is Determiner.INDEFINITE and len(words) > 1 and is_plural(words[-1]):
            # "a token expires": after "a" no plural stands, so that the last word is a verb.
            self._put(number, name_of(words[:-1]), Place(start, phrase), False)
        if phrase.determiner is Determiner.NONE and len(words) > 1:
            for begin in range(1, min(len(words), 4)):
                if not leads(words[begin - 1]):
                    break
                self._put(number, name_of(words[begin:]), Place(start, phrase), phrase.several)

    def _add_shared(self, number: int, phrases: Sequence[Phrase], words: Sequence[Word]) -> None:
        """Takes in what "first, second and third walls" and "an upper and a lower wall" introduce beside
        the last: a first wall, a second wall; an upper wall."""
        for place in range(len(phrases) - 1, 0, -1):
            last = phrases[place]
            if len(last.words) < 2 or last.determiner >= Determiner.THE:
                continue
            at = place - 1
            while (
                at >= 0
                and shares_head(phrases[at])
                and _joined(words[phrases[at].last : phrases[at + 1].first])
            ):
                tail = last.words[1:] if shares_head(last._replace(words=last.words[:1])) else last.words
                here = Place(phrases[at].start, phrases[at])
                self._put(number, name_of((*phrases[at].words, *tail)), here, False)
                at -= 1
            if at < place - 1:
                self._put(number, name_of(last.words), Place(last.start, last), False)

    def add_known(self, number: int, words: tuple[str, ...], phrase: Phrase) -> None:
        """Takes in a definite phrase that was found to have basis, so that it gives basis in turn."""
        self._put(number, name_of(words), Place(phrase.start, phrase), phrase.several)

    def add_bad(self, number: int, words: tuple[str, ...], phrase: Phrase) -> None:
        """Takes in a definite phrase without basis, so that it is told once."""
        entry = self._entry(name_of(words))
        entry.bad.setdefault(number, Place(phrase.start, phrase))
        entry.bad_bits |= self.lines.bit[number]

    def entry(self, words: tuple[str, ...]) -> Entry | None:
        """What is known under this name, introduced or not."""
        name = name_of(words)
        names = self.heads.get(name.head)
        return None if names is None else names.get(name.key)

    def cover(self, entry: Entry, number: int, before: int) -> Cover:
        """On how many paths the name is introduced, seen from offset `before` of the claim."""
        bits = entry.bits
        own = self.lines.bit[number]
        if bits & own:
            if entry.places[number].start < before:
                return Cover.ALL
            bits ^= own
        return self.lines.cover(number, bits) if bits else Cover.NONE

    def visible(self, head: str, number: int, before: int) -> Iterator[tuple[Entry, Cover]]:
        """The names with this head that are introduced on some path at least."""
        for entry in islice(self.heads.get(head, {}).values(), MOST_NAMES):
            cover = self.cover(entry, number, before)
            if cover:
                yield entry, cover

    def knows_word(self, word: str, number: int, before: int) -> bool:
        """Whether the lemma stands anywhere before, in any role, on some path."""
        if self._first[number].get(word, before) < before:
            return True
        bits = self._word_bits.get(word, 0) & ~self.lines.bit[number]
        return bool(bits & self.lines.maybe[number])

    def knows_free(self, word: str, number: int, before: int) -> bool:
        """Whether the lemma stands anywhere before other than to qualify another noun, on some path."""
        if self._free_first is None:
            self._free_first = {each: self._free_words(each) for each in self._phrases}
        if self._free_first[number].get(word, before) < before:
            return True
        bits = self._free_bits.get(word, 0) & ~self.lines.bit[number]
        return bool(bits & self.lines.maybe[number])

    def _free_words(self, number: int) -> dict[str, int]:
        """Where each lemma of a claim first stands as a head, or where a verb may stand."""
        first: dict[str, int] = {}
        bit = self.lines.bit[number]
        for phrase in self._phrases[number]:
            free = [phrase.words[-1], *(phrase.words[cut] for cut in phrase.cuts)]
            if self._may_be_verb(number, phrase):
                free.append(phrase.words[0])
            for word in free:
                single = lemma(word)
                if single not in first:
                    first[single] = phrase.start
                    self._free_bits[single] = self._free_bits.get(single, 0) | bit
        return first

    def _may_be_verb(self, number: int, phrase: Phrase) -> bool:
        """Whether a bare run may begin with a verb: "to plough soil", "filtering images"."""
        if phrase.determiner is not Determiner.NONE:
            return False
        before = self._words[number][phrase.first - 1].lower if phrase.first else ""
        return before in _BEFORE_VERBS or leads(phrase.words[0])

    def knows_root(self, word: str, number: int, before: int) -> bool:
        """Whether a word of the same root stands anywhere before, on some path."""
        if self._by_root is None:
            self._by_root = {}
            for known in self._word_bits:
                self._by_root.setdefault(root(known), []).append(known)
        return any(self.knows_word(known, number, before) for known in self._by_root.get(root(word), ()))

    def like(self, word: str, number: int, before: int) -> str | None:
        """A lemma before that differs by one slip of the pen from this one, or None."""
        if self._by_shape is None:
            self._by_shape = {}
            for known in self._word_bits:
                if len(known) >= _TYPO_LENGTH and known.isalpha():
                    self._by_shape.setdefault((known[0], len(known)), []).append(known)
        for size in (len(word), len(word) - 1, len(word) + 1):
            for known in self._by_shape.get((word[0], size), ())[:_TYPO_CANDIDATES]:
                if one_slip(word, known) and self.knows_word(known, number, before):
                    return known
        return None

    def abbreviated(self, initials: str, number: int, before: int) -> Entry | None:
        """A name before whose words begin with these letters, or None."""
        if self._by_initials is None:
            self._by_initials = {}
            for names in self.heads.values():
                for entry in names.values():
                    for place in list(entry.places.values())[:1]:
                        words = [part for word in place.phrase.words for part in word.split("-") if part]
                        for begin in range(len(words) - 1):
                            self._by_initials.setdefault(
                                "".join(word[0] for word in words[begin:]), []
                            ).append(entry)
        found = self._by_initials.get(initials, ())[:_TYPO_CANDIDATES]
        return next((entry for entry in found if self.cover(entry, number, before)), None)

    def place(self, entry: Entry, number: int, before: int) -> tuple[int, Place]:
        """The claim and the place that introduce a visible name, the nearest claim first."""
        own = entry.places.get(number)
        if own is not None and own.start < before:
            return number, own
        nearest = self.lines.nearest(number, entry.bits & ~self.lines.bit[number])
        return nearest, entry.places[nearest]

    def _entry(self, name: Name) -> Entry:
        names = self.heads.get(name.head)
        if names is None:
            names = self.heads[name.head] = {}
        entry = names.get(name.key)
        if entry is None:
            entry = names[name.key] = Entry(name)
        return entry

    def _put(self, number: int, name: Name, place: Place, several: bool) -> None:
        entry = self._entry(name)
        bit = self.lines.bit[number]
        known = entry.places.get(number)
        if known is None or place.start < known.start:
            entry.places[number] = place
        entry.bits |= bit
        if known is not None and place.phrase.determiner is Determiner.INDEFINITE:
            entry.twice_bits |= bit
        if several:
            entry.plural_bits |= bit
        else:
            entry.singular_bits |= bit


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
_BEFORE_VERBS = frozenset({"to", "can", "may", "must", "shall", "will", "not", "thereby"})
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
