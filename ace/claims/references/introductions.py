"""What the claims of a set introduce: noun phrases by head, and all words by claim.

Built once for a set from the index of each text; consulted for every definite phrase.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Final, Generic, TypeVar

from ace.claims.language.lexicon import ORDINALS, PICKING
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, word_class_of
from ace.claims.language.words import VERB_OF_PARTICIPLE, Word, is_plural, lemma, one_slip, root
from ace.claims.references.ancestry import Ancestry, Cover
from ace.claims.references.claim_text_index import ClaimTextIndex, Name, Occurrence, name_of, occurrence

_MIN_TYPO_LETTERS: Final = 5
_MAX_TYPO_CANDIDATES: Final = 50
_WORDS_OF_A_CHOICE: Final = 6
_WORDS_BETWEEN_TWO: Final = 10
_LIMBS: Final = frozenset({".", ":", ";", "each", "respectively", "wherein"})
_ONES: Final = ORDINALS | {"one", "another"}
MAX_NAMES: Final = 100  # of one head; more would take time and help nothing

# Python 3.11 is slow to reach a member of an enum by name.
_ALL: Final = Cover.ALL
_INDEFINITE: Final = Determiner.INDEFINITE
_NUMBER: Final = Determiner.NUMBER
_THE: Final = Determiner.THE

_ACTING: Final = frozenset({WordClass.ING, WordClass.VERB, WordClass.NOUN_VERB, WordClass.MAYBE_FINITE})


class Entry:
    """One name with its first occurrence in each claim, and the claims (bits) that have it in each number,
    that introduce it (`new_bits`), count it (`counted_bits`), introduce another (`another_bits`) or two of it
    side by side (`paired_bits`), and take it up (`taken_bits`).

    `unsupported` has the definite phrases of this name that have no basis.
    """

    __slots__ = (
        "another_bits",
        "bits",
        "counted_bits",
        "name",
        "new_bits",
        "paired_bits",
        "places",
        "plural_bits",
        "singular_bits",
        "taken_bits",
        "twice_bits",
        "unsupported",
        "unsupported_bits",
    )

    def __init__(self, name: Name) -> None:
        self.name = name
        self.places: dict[int, Occurrence] = {}
        self.unsupported: dict[int, Occurrence] = {}
        self.unsupported_bits = 0
        self.bits = 0
        self.new_bits = 0
        self.singular_bits = 0
        self.plural_bits = 0
        self.taken_bits = 0
        self.twice_bits = 0
        self.another_bits = 0
        self.counted_bits = 0
        self.paired_bits = 0


_Key = TypeVar("_Key", bound=Hashable)


class _Firsts(Generic[_Key]):
    """Where each claim first has something, and the claims (bits) that have it."""

    def __init__(self, ancestry: Ancestry, places: Mapping[int, Mapping[_Key, int]]) -> None:
        self._ancestry = ancestry
        self._places = places
        self._bits: dict[_Key, int] = {}
        for number, mine in places.items():
            for key in mine:
                self._bits[key] = self._bits.get(key, 0) | ancestry.bit[number]

    def known(self, key: _Key, number: int, before: int) -> bool:
        """Whether the claim has it before this offset, or a claim that it depends on, on some path."""
        if self._places[number].get(key, before) < before:
            return True
        bits = self._bits.get(key, 0) & ~self._ancestry.bit[number]
        return bool(bits & self._ancestry.possible[number])


class Introductions:
    """All names of a claim set, and all its words."""

    def __init__(self, ancestry: Ancestry) -> None:
        self.ancestry = ancestry
        self.heads: defaultdict[str, dict[str, Entry]] = defaultdict(dict)
        self._indexes: dict[int, ClaimTextIndex] = {}
        self._by_root: dict[str, list[str]] | None = None
        self._by_shape: dict[tuple[str, int], list[str]] | None = None
        self._by_initials: dict[str, list[Entry]] | None = None
        self._by_qualifier: dict[str, list[Entry]] | None = None
        self._taken_up: dict[int, Counter[str]] = {}

    def add_claim(self, number: int, index: ClaimTextIndex) -> None:
        """Adds a claim and all of its phrases that are not definite."""
        self._indexes[number] = index
        bit = self.ancestry.bit[number]
        for name, place, several in index.names:
            self._put(number, bit, name, place, several)

    @cached_property
    def _word_bits(self) -> dict[str, int]:
        """The lemmas of all claims, and the claims (bits) that have them."""
        bits: dict[str, int] = {}
        for number, index in self._indexes.items():
            bit = self.ancestry.bit[number]
            for word in index.lemmas:
                bits[word] = bits.get(word, 0) | bit
        return bits

    def add_supported(self, number: int, words: tuple[str, ...], phrase: Phrase) -> None:
        """Adds a definite phrase that has a basis, so that later phrases can rest on it."""
        bit = self.ancestry.bit[number]
        several = phrase.several if len(words) == len(phrase.words) else is_plural(words[-1])
        entry = self._put(number, bit, name_of(words), occurrence((phrase.start, phrase)), several)
        entry.taken_bits |= bit

    def add_unsupported(self, number: int, words: tuple[str, ...], phrase: Phrase) -> None:
        """Adds a definite phrase without basis, so that it is reported only once."""
        entry = self._entry(name_of(words))
        entry.unsupported.setdefault(number, Occurrence(phrase.start, phrase))
        entry.unsupported_bits |= self.ancestry.bit[number]

    def entry(self, words: tuple[str, ...]) -> Entry | None:
        """The entry of this name, introduced or not, or None."""
        name = name_of(words)
        names = self.heads.get(name.head)
        return None if names is None else names.get(name.key)

    def cover(self, entry: Entry, number: int, before: int) -> Cover:
        """On how many paths the name is introduced, seen from offset `before` of the claim."""
        bits = entry.bits
        own = self.ancestry.bit[number]
        if bits & own:
            if entry.places[number].start < before:
                return _ALL
            bits ^= own
        return self.ancestry.cover(number, bits) if bits else Cover.NONE

    def visible(self, head: str, number: int, before: int) -> Iterator[tuple[Entry, Cover]]:
        """The names with this head that are introduced on some path at least."""
        for entry in islice(self.heads.get(head, {}).values(), MAX_NAMES):
            cover = self.cover(entry, number, before)
            if cover:
                yield entry, cover

    def knows_word(self, word: str, number: int, before: int) -> bool:
        """Whether the lemma occurs anywhere before, in any role, on some path."""
        if self._indexes[number].first.get(word, before) < before:
            return True
        bits = self._word_bits.get(word, 0) & ~self.ancestry.bit[number]
        return bool(bits & self.ancestry.possible[number])

    def knows_act(self, participle: str, head: str, number: int, before: int) -> bool:
        """Whether a gerund or verb of the same root governs a noun with this head before, on some path:
        "identifying a color" for "identified" and "color"."""
        act = root(VERB_OF_PARTICIPLE.get(participle, participle)), head
        return self._acts.known(act, number, before)

    @cached_property
    def _acts(self) -> _Firsts[tuple[str, str]]:
        return _Firsts(self.ancestry, {each: _acts_in(index) for each, index in self._indexes.items()})

    def picks_out(self, noun: str, number: int, before: int) -> bool:
        """Whether one of several is picked out before, on some path: "each of the pins", "a first of the
        pins"."""
        return self._picked.known(noun, number, before)

    @cached_property
    def _picked(self) -> _Firsts[str]:
        return _Firsts(
            self.ancestry, {each: _picked_in(index.words) for each, index in self._indexes.items()}
        )

    def taken_up(self, name: Name, number: int) -> int:
        """How many definite phrases of the claim have this name, or have it if they end earlier."""
        counted = self._taken_up.get(number)
        if counted is None:
            counted = self._taken_up[number] = Counter(
                [
                    name_of(phrase.words[:size]).key
                    for phrase in self._indexes[number].phrases
                    if phrase.determiner >= _THE
                    for size in (len(phrase.words), *phrase.cuts)
                ]
            )
        return counted[name.key]

    def is_orphan(self, entry: Entry, number: int) -> bool:
        """Whether the claim or those before it introduce the name, and no definite phrase of theirs takes it
        up, whole or shortened."""
        behind = self.ancestry.possible[number]
        name = entry.name
        return bool(entry.new_bits & behind) and not any(
            bits & behind and qualifiers <= name.qualifiers
            for qualifiers, bits in self._definite.get(name.head, {}).items()
        )

    @cached_property
    def _definite(self) -> dict[str, dict[frozenset[str], int]]:
        """By head, the qualifiers of the definite phrases and the claims (bits) that have them."""
        found: dict[str, dict[frozenset[str], int]] = {}
        for number, index in self._indexes.items():
            bit = self.ancestry.bit[number]
            for phrase in index.phrases:
                if phrase.determiner >= _THE:
                    for size in (len(phrase.words), *phrase.cuts):
                        name = name_of(phrase.words[:size])
                        mine = found.setdefault(name.head, {})
                        mine[name.qualifiers] = mine.get(name.qualifiers, 0) | bit
        return found

    def knows_root(self, word: str, number: int, before: int) -> bool:
        """Whether a word of the same root, or the verb of an irregular participle, occurs anywhere before, on
        some path."""
        if self._by_root is None:
            self._by_root = defaultdict(list)
            for known, each in zip(self._word_bits, map(root, self._word_bits), strict=True):
                self._by_root[each].append(known)
        verb = VERB_OF_PARTICIPLE.get(word)
        roots = (root(word),) if verb is None else (root(word), root(verb))
        return any(
            self.knows_word(known, number, before) for each in roots for known in self._by_root.get(each, ())
        )

    def like(self, word: str, number: int, before: int) -> str | None:
        """An earlier lemma of which this word may be a misspelling, or None."""
        if self._by_shape is None:
            self._by_shape = {}
            for known in self._word_bits:
                if len(known) >= _MIN_TYPO_LETTERS and known.isalpha():
                    self._by_shape.setdefault((known[0], len(known)), []).append(known)
        for size in (len(word), len(word) - 1, len(word) + 1):
            for known in self._by_shape.get((word[0], size), ())[:_MAX_TYPO_CANDIDATES]:
                if one_slip(word, known) and self.knows_word(known, number, before):
                    return known
        return None

    def abbreviated(self, initials: str, number: int, before: int) -> Entry | None:
        """An earlier name whose words begin with these letters, or None."""
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
        found = self._by_initials.get(initials, ())[:_MAX_TYPO_CANDIDATES]
        return next((entry for entry in found if self.cover(entry, number, before)), None)

    def qualified_by(self, qualifiers: Sequence[str]) -> Iterator[Entry]:
        """The names, whatever their heads, that have all these qualifiers (at least one)."""
        if self._by_qualifier is None:
            self._by_qualifier = {}
            for names in self.heads.values():
                for entry in names.values():
                    for word in entry.name.qualifiers:
                        self._by_qualifier.setdefault(word, []).append(entry)
        for entry in islice(self._by_qualifier.get(qualifiers[0], ()), MAX_NAMES):
            if entry.name.qualifiers.issuperset(qualifiers):
                yield entry

    def place(self, entry: Entry, number: int, before: int) -> tuple[int, Occurrence]:
        """The nearest claim that introduces a visible name, and where it does."""
        own = entry.places.get(number)
        if own is not None and own.start < before:
            return number, own
        nearest = self.ancestry.nearest(number, entry.bits & ~self.ancestry.bit[number])
        return nearest, entry.places[nearest]

    def _entry(self, name: Name) -> Entry:
        names = self.heads[name.head]
        entry = names.get(name.key)
        if entry is None:
            entry = names[name.key] = Entry(name)
        return entry

    def _put(self, number: int, bit: int, name: Name, place: Occurrence, several: bool) -> Entry:
        entry = self._entry(name)
        determiner = place.phrase.determiner
        known = entry.places.get(number)
        if known is None:
            entry.places[number] = place
            entry.bits |= bit
        else:
            if place.start < known.start:
                entry.places[number] = place
            if determiner is _INDEFINITE:
                entry.twice_bits |= bit
                if self._side_by_side(number, known.phrase, place.phrase):
                    entry.paired_bits |= bit
        if determiner < _THE:
            entry.new_bits |= bit
            if determiner is _NUMBER:
                entry.counted_bits |= bit
            if "another" in place.phrase.opening:
                entry.another_bits |= bit
        if several:
            entry.plural_bits |= bit
        else:
            entry.singular_bits |= bit
        return entry

    def _side_by_side(self, number: int, one: Phrase, other: Phrase) -> bool:
        """Whether "and" joins two phrases of one limb: "a kettle of steel and a kettle of copper"."""
        plain = all(each.determiner is _INDEFINITE for each in (one, other))
        if (
            not plain
            or one.words != other.words
            or not ORDINALS.isdisjoint(one.words)
            or "another" in other.opening
        ):
            return False
        at = other.first - len(other.opening)
        if not 0 < at - one.last <= _WORDS_BETWEEN_TWO:
            return False
        between = [word.lower for word in self._indexes[number].words[one.last : at]]
        return between[-1] == "and" and _LIMBS.isdisjoint(between)


def _picked_in(words: Sequence[Word]) -> dict[str, int]:
    """The offset of the first "pins" behind "each of the" or "a first of the", by "pin"."""
    picked: dict[str, int] = {}
    for at, word in enumerate(words):
        noun = lemma(word.lower)
        if noun == word.lower or noun in picked:
            continue
        before = [each.lower for each in words[max(0, at - _WORDS_OF_A_CHOICE) : at]]
        if not PICKING.isdisjoint(before) or ("of" in before and not _ONES.isdisjoint(before)):
            picked[noun] = word.start
    return picked


def _acts_in(index: ClaimTextIndex) -> dict[tuple[str, str], int]:
    """Where a claim first says that something is done to what: root and head of "identifying a color" and of
    "to detect data"."""
    acts: dict[tuple[str, str], int] = {}
    for phrase in index.phrases:
        at = phrase.first - len(phrase.opening)
        if phrase.determiner < Determiner.EACH and at > 0:
            verb = index.words[at - 1].lower
            if word_class_of(verb) in _ACTING:
                acts.setdefault((root(verb), lemma(phrase.words[-1])), phrase.start)
    return acts
