"""Phrases that say more than what is introduced: "the metal shaft" after "a shaft", or after "a guide shaft".

The head is known, and at least one qualifier does not belong to any name that has this head.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from ace.claims.language.lexicon import COMPARING, EXACT, INHERENT, LIMITING, ORDINALS, RANK
from ace.claims.language.noun_phrases import PARTICIPIAL, Phrase, WordClass, word_class_of
from ace.claims.language.words import VERB_OF_PARTICIPLE, is_superlative, lemma, root
from ace.claims.references.claim_text_index import name_of
from ace.claims.references.graph import Basis, Proof
from ace.claims.references.introductions import Entry
from ace.claims.references.resolution_context import ResolutionContext

WORDS_NEAR: Final = 9
"""How many words after a noun may still belong to it."""

_WORDS_BEFORE: Final = 3
_MAX_ENTRIES: Final = 8
_NO_RANK: Final = 99
_FIRST_TWO: Final = frozenset({"first", "second"})


class QualifiedPhrase:
    """The first `size` words of a phrase, and the names with its head that are introduced (`entries`)."""

    def __init__(self, here: ResolutionContext, phrase: Phrase, size: int, entries: Sequence[Entry]) -> None:
        self._here = here
        self._phrase = phrase
        self._size = size
        self._entries = entries
        self._qualifiers = qualifiers = name_of(phrase.words[:size]).qualifiers
        self._nearest = min(
            entries,
            key=lambda each: (
                # the second one, however the first one was called when it was taken up
                not (each.new_bits & here.behind or ORDINALS.isdisjoint(each.name.qualifiers - qualifiers)),
                len(qualifiers - each.name.qualifiers),
                len(each.name.qualifiers),
            ),
        )
        extra = qualifiers - self._nearest.name.qualifiers
        self._plain = self._nearest.name.qualifiers < qualifiers
        self._ordinals = extra & ORDINALS
        self._extra = sorted(word for word in extra if word not in LIMITING and len(word) > 1)

    def proof(self) -> Proof:
        """What the phrase rests on: one of the names, or nothing."""
        return (
            self._nothing_new()
            or self._by_ordinal()
            or self._misspelt()
            or self._of_a_verb()
            or self._unsupported("unknown_modifier", *self._traits())
        )

    def _nothing_new(self) -> Proof | None:
        """ "the said shaft", or "the control module" after "a module for control"."""
        here, before = self._here, self._phrase.start
        beside = not self._ordinals and all(
            stands_near(here, word, self._nearest, before) for word in self._extra
        )
        return self._supported(Basis.HEAD_MATCH) if beside or not self._extra else None

    def _by_ordinal(self) -> Proof | None:
        """ "the third seal" was never introduced, nor "the first seal" after "a plurality of seals", which
        nobody has counted; it was after "two seals"."""
        if not self._ordinals:
            return None
        here = self._here
        several = any(entry.plural_bits & here.behind for entry in self._entries)
        if several and max(RANK.get(word, _NO_RANK) for word in self._ordinals) <= self._number():
            return self._supported(Basis.HEAD_MATCH)
        traits = (
            *here.about(self._phrase, self._size),
            "counted" if several else "",
            "one_of_several" if several and self._ordinals <= _FIRST_TWO else "",
            "" if self._plain else "other_known",
        )
        return self._unsupported("uncounted", *filter(None, traits))

    def _number(self) -> int:
        """How many were introduced at once: 2 for "two seals", "a pair of seals"; 0 if that was not said."""
        claim, place = self._here.place(self._nearest, self._phrase.start)
        first = place.phrase.first
        before = self._here.words_of(claim)[max(0, first - _WORDS_BEFORE) : first]
        return next((EXACT[word.lower] for word in reversed(before) if word.lower in EXACT), 0)

    def _misspelt(self) -> Proof | None:
        """ "the magentic shaft", if "magnetic" is known."""
        for word in self._unknown:
            if word not in INHERENT and word not in self._known_in_other_forms:
                meant = self._here.known.like(word, self._here.number, self._phrase.start)
                if meant is not None and root(meant) != root(word):
                    return self._unsupported()._replace(basis=Basis.TYPO, confidence=0.8, meant=meant)
        return None

    def _of_a_verb(self) -> Proof | None:
        """ "the detected motion" after "detecting a motion"."""
        derived = self._plain and self._unknown and self._all_derived and _are_participles(self._unknown)
        return self._supported(Basis.DERIVED) if derived or self._is_acted_on() else None

    def _is_acted_on(self) -> bool:
        """Whether a verb before governs the noun, wherever else its participle stands."""
        here, head = self._here, self._nearest.name.head
        participles = [
            word
            for word in self._extra
            if word_class_of(word) is WordClass.PARTICIPLE or word in VERB_OF_PARTICIPLE
        ]
        return len(participles) == 1 == len(self._extra) and here.known.knows_act(
            participles[0], head, here.number, self._phrase.start
        )

    def _supported(self, basis: Basis) -> Proof:
        return self._here.supported(self._phrase, self._size, self._nearest, basis, 0.8)

    def _unsupported(self, *traits: str) -> Proof:
        mention = self._here.mention(self._phrase, self._size)
        candidates = self._here.sources(self._entries, self._phrase.start)
        return Proof(mention, Basis.NONE, 0.6, candidates=candidates, traits=traits)

    def _traits(self) -> Iterator[str]:
        """What makes it more or less likely that the qualifiers need a basis: stable words."""
        yield from self._here.about(self._phrase, self._size)
        yield "plain_known" if self._plain else "other_known"
        if any(word in COMPARING or is_superlative(word) for word in self._extra):
            yield "limiting"
        if _are_participles(self._extra):
            yield "participle"
        if not self._unknown:
            yield from self._where_known()
        elif self._all_derived:
            yield "qualifier_root"
        yield from self._about_the_set()

    def _about_the_set(self) -> Iterator[str]:
        """What the set introduces instead: this very name in a claim that does not count (elsewhere); a name
        that differs in one qualifier and is never taken up, so that it may have been renamed (orphan)."""
        here, phrase = self._here, self._phrase
        if here.elsewhere(phrase.words[: self._size]):
            yield "elsewhere"
        several = here.plural(phrase, self._size)
        if not self._plain and any(
            self._stands_for(each) and here.orphaned(each, several=several) for each in self._entries
        ):
            yield "orphan"

    def _stands_for(self, entry: Entry) -> bool:
        """Whether a name of the same head has one qualifier where this one has another."""
        names = entry.name.qualifiers, self._qualifiers
        differ = names[0] ^ names[1]
        return (
            len(differ) == 2
            and not (names[0] < names[1] or names[1] < names[0])
            and differ.isdisjoint(LIMITING)
        )

    def _where_known(self) -> Iterator[str]:
        """Where all the qualifiers were used: of this noun, near it, or of something else."""
        here, before = self._here, self._phrase.start
        if all(map(self._of_this_head, self._extra)):
            yield "qualifier_known"
            return
        yield "qualifier_elsewhere"
        if all(self._is_near(word) for word in self._extra):
            yield "qualifier_near"
        if any(True for word in self._extra for _ in here.known.visible(word, here.number, before)):
            yield "of_element"

    def _is_near(self, word: str) -> bool:
        """Whether a qualifier stands just before or after this noun anywhere: "a pump that has a housing"."""
        return any(
            stands_near(self._here, word, entry, self._phrase.start, WORDS_NEAR)
            for entry in self._entries[:_MAX_ENTRIES]
        )

    @cached_property
    def _unknown(self) -> list[str]:
        """The qualifiers that occur nowhere before."""
        here, before = self._here, self._phrase.start
        return [word for word in self._extra if not here.known.knows_word(word, here.number, before)]

    @cached_property
    def _known_in_other_forms(self) -> list[str]:
        """Those of them that share a root with a word before."""
        here, before = self._here, self._phrase.start
        return [word for word in self._unknown if here.known.knows_root(word, here.number, before)]

    @property
    def _all_derived(self) -> bool:
        return len(self._known_in_other_forms) == len(self._unknown)

    def _of_this_head(self, word: str) -> bool:
        """Whether a qualifier is used of this noun anywhere: before it, or as its complement."""
        return any(
            word in entry.name.qualifiers or stands_near(self._here, word, entry, self._phrase.start)
            for entry in self._entries[:_MAX_ENTRIES]
        )


def _are_participles(words: Iterable[str]) -> bool:
    return all(word_class_of(word) in PARTICIPIAL or word in VERB_OF_PARTICIPLE for word in words)


def stands_near(here: ResolutionContext, word: str, entry: Entry, before: int, ahead: int = 0) -> bool:
    """Whether a qualifier comes just after the noun, "a module for control", or so many words ahead of it."""
    claim, place = here.place(entry, before)
    words = here.words_of(claim)[max(0, place.phrase.first - ahead) : place.phrase.last + WORDS_NEAR]
    return any(lemma(each.lower) == word for each in words if claim != here.number or each.start < before)
