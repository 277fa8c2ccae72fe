"""What is done under one condition, and undone: "to open the valve when the lid is closed" against "to close
the valve when the lid is closed".
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ace.claims.checks.logical.branches import EXCLUDED, Condition, conditions_of
from ace.claims.checks.logical.chain import kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import CONTRADICTION
from ace.claims.checks.logical.subjects import alternatives
from ace.claims.findings import Flaw
from ace.claims.language.noun_phrases import Phrase, phrase_before, phrase_first, phrases_of
from ace.claims.language.verb_forms import forms_of
from ace.claims.language.words import Word, lemma, word_start, words_of
from ace.claims.model import Claim
from ace.claims.reading import Reading

_BASE_OF = {form: verb for verb in EXCLUDED if "_" not in verb for form in forms_of(verb)}
_SKIPPED = frozenset({",", "then", "to", "and", "the", "controller", "processor"})
_MAX_SKIPPED = 3
_DENYING = frozenset({"not", "never", "no", "without", "cannot", "from", "of", "for", "by"})


class Deed(NamedTuple):
    """Under a condition something is done to a thing: text[start:end]."""

    condition: tuple[str, ...]
    verb: str
    thing: tuple[str, ...]
    start: int
    end: int

    def undoes(self, other: Deed) -> bool:
        """Whether both cannot be done under one condition."""
        same = (self.condition, self.thing) == (other.condition, other.thing)
        return same and other.verb in EXCLUDED[self.verb]


def undone_deeds(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """What the claim does although it, or an ancestor, does the contrary under the same condition."""
    own = deeds(reading, claim.text)
    ancestors = nearest_ancestors(reading, claim) if own else ()
    for at, each in enumerate(own):
        for holder, others in ((claim, own[:at]), *((one, deeds(reading, one.text)) for one in ancestors)):
            other = next((other for other in others if each.undoes(other)), None)
            if other is None or (holder is claim and alternatives(claim.text, other.end, each.start)):
                continue
            where = "the claim itself" if holder is claim else f"claim {holder.number}"
            why = f"This contradicts {where}, which says “{holder.text[other.start : other.end]}”."
            signals = ("act", "same_claim" if holder is claim else "inherited")
            yield Flaw(CONTRADICTION, each.start, each.end, why, signals=signals)
            break


@kept_with_set
def deeds(reading: Reading, text: str) -> tuple[Deed, ...]:
    """What a text says is done to its things under conditions."""
    return tuple(_deeds(text, conditions_of(reading, text)))


def _deeds(text: str, conditions: Sequence[Condition]) -> Iterator[Deed]:
    words, phrases = words_of(text), phrases_of(text)
    for condition, start, end in conditions:
        first = bisect_left(words, start, key=word_start)
        first -= first > 0 and words[first - 1].lower == ","
        phrase = phrase_before(phrases, first)
        if phrase is not None and phrase.last == first:
            yield from _deed(words, phrase, condition, end)
        at = bisect_left(words, end, key=word_start)
        limit = at + _MAX_SKIPPED
        while at < min(limit, len(words)) and words[at].lower in _SKIPPED:
            at += 1
        index = bisect_left(phrases, at + 1, key=phrase_first)
        if index < len(phrases):
            yield from _deed(words, phrases[index], condition, phrases[index].end, at)


def _deed(
    words: Sequence[Word], phrase: Phrase, condition: tuple[str, ...], end: int, at: int = -1
) -> Iterator[Deed]:
    """What the word before a phrase says is done to it, if it is the word at index `at`, or any."""
    verb = bisect_left(words, phrase.start, key=word_start) - 1
    if verb < 1 or at not in {-1, verb} or words[verb].lower not in _BASE_OF:
        return
    if words[verb - 1].lower not in _DENYING:
        name = tuple(map(lemma, phrase.words))
        yield Deed(condition, _BASE_OF[words[verb].lower], name, words[verb].start, end)
