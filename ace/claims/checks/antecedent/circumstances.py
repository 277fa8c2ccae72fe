"""What else tells whether a phrase without basis is a defect: how the set speaks of the thing, and where the
phrase stands.

The proofs of the reference graph say how a phrase lacks a basis. Readers object to some such phrases and pass
others; the signals here are what separates the two, and confidence.py weighs them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from ace.claims.language.lexicon import ACT_NOUNS, ACTS, ANATOMY, THINGS
from ace.claims.language.noun_phrases import Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma, word_start
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.references.claim_text_index import name_of
from ace.claims.references.graph import Mention

_INTRODUCED: Final = THINGS | word_list("introduced", "introduced")
_COMPOSING: Final = frozenset(
    {"comprise", "comprises", "consist", "consists", "contain", "contains", "include", "includes"}
)
_PLACING: Final = frozenset({"at", "in", "into", "on", "onto", "through", "within"})
_AGENTS: Final = ("er", "or")
_BRIEF: Final = 60
_FEW_CLAIMS: Final = (2, 3)
_SEVERAL: Final = 3
_MANY: Final = 6


class Usage:
    """How the claims of a set speak of things: which of them introduce a name, by its key (`introduced`), and
    which speak of something with this head as known (`spoken`); how often a name is known so (`times`)."""

    def __init__(self, reading: Reading) -> None:
        self.introduced: dict[str, set[int]] = {}
        self.spoken: dict[str, set[int]] = {}
        self.times: Counter[str] = Counter()
        for claim in reading.claims:
            for phrase in phrases_of(claim.text):
                self._add(claim.number, phrase)

    def _add(self, number: int, phrase: Phrase) -> None:
        if phrase.definite:
            self.times[name_of(phrase.words).key] += 1
            self.spoken.setdefault(lemma(phrase.words[-1]), set()).add(number)
            return
        for size in (len(phrase.words), *phrase.cuts):
            self.introduced.setdefault(name_of(phrase.words[:size]).key, set()).add(number)


class Circumstances:
    """Those of the phrases of one claim, of which so many lack a basis (`wanting`)."""

    def __init__(self, reading: Reading, claim: Claim, wanting: int) -> None:
        self._reading = reading
        self._claim = claim
        self._wanting = wanting
        self._words = reading.words(claim.number)
        self._usage = reading.kept(Usage)

    @cached_property
    def _chain(self) -> frozenset[int]:
        number = self._claim.number
        return frozenset((number, *self._reading.claims.ancestors(number)))

    def of(self, mention: Mention) -> tuple[str, ...]:
        """Stable words for what is noticed of a phrase without basis."""
        return (*self._in_the_set(mention), *self._in_the_claim(mention), *_of_the_noun(mention.head))

    def _in_the_set(self, mention: Mention) -> Iterator[str]:
        """A claim that does not count introduces the name (elsewhere); the set speaks of it only here (once);
        two or three claims speak of such a thing as known (few_claims)."""
        key = name_of(mention.words).key
        if not self._usage.introduced.get(key, set()) <= self._chain:
            yield "elsewhere"
        if self._usage.times[key] <= 1:
            yield "once"
        if len(self._usage.spoken.get(mention.head, ())) in _FEW_CLAIMS:
            yield "few_claims"

    def _in_the_claim(self, mention: Mention) -> Iterator[str]:
        first = bisect_left(self._words, mention.start, key=word_start)
        behind = self._words[bisect_left(self._words, mention.end, key=word_start) :][:2]
        yield from _behind([word.lower for word in behind])
        if first and self._words[first - 1].lower in _PLACING:
            yield "placed"
        if self._claim.parents and self._words[first].lower == "said":
            yield "said_of_parent"
        if len(self._words) < _BRIEF:
            yield "brief"
        if self._wanting >= _SEVERAL:
            yield "several" if self._wanting < _MANY else "many"


def _behind(words: list[str]) -> Iterator[str]:
    """How the sentence goes on: with what the thing comprises (composed), a word that may belong to the name
    (run_on), or what it is of (of_known)."""
    if not words:
        return
    if words[0] in _COMPOSING:
        yield "composed"
    elif words[0].isalpha() and word_class_of(words[0]) not in {WordClass.CLOSED, WordClass.MARK}:
        yield "run_on"
    if words[0] == "of" and words[-1] in {"the", "said"}:
        yield "of_known"


def _of_the_noun(head: str) -> Iterator[str]:
    """What sort of noun it is: one that claims introduce, an agent, an act, a part of the body."""
    if head in _INTRODUCED:
        yield "introduced_noun"
    if head.endswith(_AGENTS):
        yield "agent"
    if head in ACT_NOUNS or head in ACTS:
        yield "act"
    if head in ANATOMY:
        yield "anatomy"
