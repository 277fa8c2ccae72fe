"""Indefinite phrases that name what is already there: "a lever" after "a lever" (MPEP 2173.05(e), (o))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.language.lexicon import DISTRIBUTIVE, ORDINALS
from ace.claims.language.noun_phrases import Determiner, Phrase, WordClass, word_class_of
from ace.claims.references.ancestry import Cover
from ace.claims.references.graph import Basis, Proof
from ace.claims.references.introductions import Entry
from ace.claims.references.resolution_context import ResolutionContext

_VARYING: Final = frozenset(
    {
        "as",
        "or",
        "like",
        "being",
        "is",
        "are",
        "be",
        "of",
        "into",
        "than",
        "either",
        "each",
        "per",
        "such",
        "another",
    }
)
_WORDS_BEFORE: Final = 8


def reintroduced_by(here: ResolutionContext, phrase: Phrase) -> Proof | None:
    """The proof that the indefinite "a lever" was already introduced under exactly this name, if it was."""
    if phrase.several or phrase.start == here.begin:
        return None
    entry = here.known.entry(phrase.words)
    if entry is None:
        return None
    own = entry.places.get(here.number)
    here_before = own is not None and own.start < phrase.start
    if not (_is_one(here, entry) if here_before else _is_inherited(here, entry)):
        return None
    before = [word.lower for word in here.words[max(0, phrase.first - _WORDS_BEFORE) : phrase.first]]
    taken_up = entry.taken_bits & (here.own if here_before else here.behind & ~here.own)
    if _varies(before, of_too=not taken_up):
        return None
    proof = here.supported(phrase, len(phrase.words), entry, Basis.EXPLICIT, 0.3)
    if proof.source is None or proof.source.plural or proof.source.definite:
        return None
    traits = (*here.about(phrase, len(phrase.words)), *_traits(here, phrase, before))
    counted = len(phrase.words) > 1 and phrase.words[0] in ORDINALS
    # A name that a claim introduces several times belongs to several things: "a first end" of each rod.
    counted = counted and not entry.twice_bits & here.behind & ~here.own
    noticed = (
        *traits,
        "ordinal" if counted else "",
        "same_claim" if here_before else "",
        "taken_up" if taken_up else "",
    )
    return proof._replace(confidence=0.3, traits=tuple(filter(None, noticed)))


def _traits(here: ResolutionContext, phrase: Phrase, before: Sequence[str]) -> Iterator[str]:
    """What the words before make more or less surprising: "further comprising a lever", "each has a lever",
    "wherein moving a lever comprises"."""
    if "further" in before[-4:]:
        yield "further"
    if not DISTRIBUTIVE.isdisjoint(before):
        yield "distributive"
    if phrase.start < here.referred:
        yield "opening"
    if len(before) > 1 and word_class_of(before[-2]) is WordClass.ING:
        yield "restated"


def _is_inherited(here: ResolutionContext, entry: Entry) -> bool:
    """Whether the claims before introduce the name, along every path."""
    bits = entry.bits & ~here.own
    return bool(bits) and here.known.ancestry.cover(here.number, bits) is Cover.ALL


def _is_one(here: ResolutionContext, entry: Entry) -> bool:
    """Whether the claim introduces one thing of this name and speaks of it as the only one.

    "A wall" of a base and "a wall" of a lid are two, unless it says "the wall".
    """
    introduced = entry.places[here.number].phrase
    return introduced.determiner is Determiner.INDEFINITE and here.known.taken_up(entry.name, here.number) > 0


def _varies(before: Sequence[str], *, of_too: bool) -> bool:
    """Whether the words before say that any such thing may be meant: "another", "such as a", "or a"."""
    if before[-1] == "another":
        return True
    return len(before) > 1 and before[-2] in _VARYING and (of_too or before[-2] != "of")
