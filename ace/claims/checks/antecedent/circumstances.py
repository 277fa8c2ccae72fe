"""What else tells whether a phrase without basis is a defect: how the set speaks of the thing, and where the
phrase stands.

The proofs of the reference graph say how a phrase lacks a basis. Readers object to some such phrases and pass
others; the signals here are what separates the two, and confidence.py weighs them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from ace.claims.language.lexicon import ANATOMY, THINGS
from ace.claims.language.noun_phrases import Phrase, WordClass, phrases_of, word_class_of
from ace.claims.language.tables import word_list
from ace.claims.language.words import lemma, word_start
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.references.claim_text_index import name_of
from ace.claims.references.graph import Mention, Proof

_INTRODUCED: Final = THINGS | word_list("circumstances", "introduced")
_COMPOSING: Final = word_list("circumstances", "composing")
_EXPLAINING: Final = word_list("circumstances", "explaining")
_AGENTS: Final = ("er", "or")
_BRIEF: Final = 60
_FEW_CLAIMS: Final = (2, 3)
_NAMES_OF_A_FRAME: Final = 8
_EMPTY: Final = frozenset({WordClass.CLOSED, WordClass.MARK})


Frame = tuple[str, str, str, str]
"""The two words before and the two words behind a phrase."""


class Usage:
    """How the claims of a set speak of things: which of them introduce a name, by its key (`introduced`), and
    which speak of something with this head as known (`spoken`); how often a name is known so (`times`); and a
    few of the names that are known so between the same words (`frames`)."""

    def __init__(self, reading: Reading) -> None:
        self.introduced: defaultdict[str, set[int]] = defaultdict(set)
        self.spoken: defaultdict[str, set[int]] = defaultdict(set)
        self.times: Counter[str] = Counter()
        self.frames: defaultdict[Frame, set[str]] = defaultdict(set)
        for claim in reading.claims:
            lowers = reading.lowers(claim.number)
            for phrase in phrases_of(claim.text):
                if phrase.definite:
                    self._add_known(claim.number, phrase, lowers)
                else:
                    self._add_new(claim.number, phrase)

    def _add_new(self, number: int, phrase: Phrase) -> None:
        for size in (len(phrase.words), *phrase.cuts):
            self.introduced[name_of(phrase.words[:size]).key].add(number)

    def _add_known(self, number: int, phrase: Phrase, lowers: Sequence[str]) -> None:
        key = name_of(phrase.words).key
        self.times[key] += 1
        self.spoken[lemma(phrase.words[-1])].add(number)
        names = self.frames[_frame(lowers, phrase.first - len(phrase.opening), phrase.last)]
        if len(names) < _NAMES_OF_A_FRAME:
            names.add(key)


def _frame(lowers: Sequence[str], first: int, last: int) -> Frame:
    *_, before, right_before = "", "", *lowers[max(0, first - 2) : first]
    right_behind, behind, *_ = *lowers[last : last + 2], "", ""
    return before, right_before, right_behind, behind


class Circumstances:
    """Those of the phrases of one claim."""

    def __init__(self, reading: Reading, claim: Claim) -> None:
        self._reading = reading
        self._number = claim.number
        self._words = reading.words(claim.number)

    @cached_property
    def _usage(self) -> Usage:
        return self._reading.kept(Usage)

    @cached_property
    def _chain(self) -> frozenset[int]:
        return frozenset((self._number, *self._reading.claims.ancestors(self._number)))

    def of(self, proof: Proof) -> tuple[str, ...]:
        """Stable words for what is noticed of a phrase without basis."""
        mention = proof.mention
        first = bisect_left(self._words, mention.start, key=word_start)
        lowers = self._reading.lowers(self._number)
        frame = _frame(lowers, first, bisect_left(self._words, mention.end, key=word_start))
        found = [*self._in_the_set(mention, frame), *self._in_the_claim(frame), *_of_the_noun(mention.head)]
        # An open group is the matter of another rule: "selected from the group comprising".
        return tuple(signal for signal in found if signal != "composed" or mention.head != "group")

    def _in_the_set(self, mention: Mention, frame: Frame) -> Iterator[str]:
        """A claim that does not count introduces the name (elsewhere); the set speaks of it only here (once);
        two or three claims speak of such a thing as known (few_claims); between the same words stands another
        name, which has a basis here (in_place_of)."""
        key = name_of(mention.words).key
        if not self._usage.introduced.get(key, set()) <= self._chain:
            yield "elsewhere"
        if self._usage.times[key] <= 1:
            yield "once"
        if len(self._usage.spoken.get(mention.head, ())) in _FEW_CLAIMS:
            yield "few_claims"
        if any(word[:1].isalpha() and word_class_of(word) not in _EMPTY for word in frame):
            others = self._usage.frames.get(frame, set()) - {key}
            if any(not self._chain.isdisjoint(self._usage.introduced.get(name, ())) for name in others):
                yield "in_place_of"

    def _in_the_claim(self, frame: Frame) -> Iterator[str]:
        """The sentence goes on with what the thing comprises (composed) or with what explains the phrase
        (explained); the claim is short (brief)."""
        behind = frame[2]
        if behind in _COMPOSING:
            yield "composed"
        if behind in _EXPLAINING:
            yield "explained"
        if len(self._words) < _BRIEF:
            yield "brief"


def _of_the_noun(head: str) -> Iterator[str]:
    """What sort of noun it is: one that claims introduce, an agent, a part of the body."""
    if head in _INTRODUCED:
        yield "introduced_noun"
    if head.endswith(_AGENTS):
        yield "agent"
    if head in ANATOMY:
        yield "anatomy"
