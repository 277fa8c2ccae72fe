"""What a definite phrase may rest on when nothing with its name or head is introduced.

It may be part of something known (MPEP 2173.05(e)), derived from a verb, an abbreviation, or misspelt; it
may be introduced only in another claim or later; or it has no basis.
"""

from __future__ import annotations

from typing import Final

from ace.claims.language.lexicon import (
    ACT_NOUNS,
    ACTS,
    CONCRETE,
    LIMITING,
    LIVING,
    NOUN_ENDINGS,
    ORDINALS,
    PREDICATE,
    PRESET,
    PRESUPPOSING,
    THINGS,
)
from ace.claims.language.noun_phrases import Phrase, WordClass, word_class_of
from ace.claims.language.words import is_superlative
from ace.claims.references.claim_text_index import name_of
from ace.claims.references.graph import Basis, Mention, Proof, mention_of
from ace.claims.references.resolution_context import ResolutionContext

_SELF_EXPLAINING: Final = frozenset({"inherent", "inherent_part", "inherent_known", "limiting"})
_PICKING_OUT: Final = LIMITING - PRESET - PRESUPPOSING
_STANDING_ALONE: Final = LIMITING - LIVING
_AGENTS: Final = ("er", "or")
_MAX_ABBREVIATION_LETTERS: Final = 6
_NUCLEIC_ACIDS: Final = ("rna", "dna")


def without_name(here: ResolutionContext, phrase: Phrase, size: int) -> Proof:
    """The proof of a phrase, cut to `size` words, whose head nothing introduces."""
    return (
        here.repeated(phrase, size, exact=False)
        or _pronoun(here, phrase, size)
        or _abbreviation(here, phrase, size)
        or _UnknownHead(here, phrase, size).proof()
    )


def _pronoun(here: ResolutionContext, phrase: Phrase, size: int) -> Proof | None:
    """ "the latter", "the first": qualifiers that stand for a noun."""
    if all(
        word in _STANDING_ALONE or word_class_of(word) is WordClass.ORDINAL for word in phrase.words[:size]
    ):
        return Proof(here.mention(phrase, size), Basis.INHERENT, 0.9, traits=("pronoun",))
    return None


class _UnknownHead:
    """The first `size` words of a phrase, whose head may still be related to a word before."""

    def __init__(self, here: ResolutionContext, phrase: Phrase, size: int) -> None:
        self._here = here
        self._words = phrase.words[:size]
        self._start = phrase.start
        self._mention = here.mention(phrase, size)
        self._head = self._mention.head
        self._traits = [*here.about(phrase, size), *_more_about(here, phrase, size)]
        if self._is_public(phrase, size):
            self._traits.append("inherent")

    def proof(self) -> Proof:
        """What the phrase rests on, the nearest relation first."""
        if any(map(self._knows_root, ACT_NOUNS.get(self._head) or _verb_of(self._head))):
            return self._derived()
        return self._of_word() or self._of_an_act() or _wanting(self._here, self._mention, self._traits)

    def _is_public(self, phrase: Phrase, size: int) -> bool:
        """Whether everybody knows what the words mean, and the set introduces no such thing."""
        entry = self._here.known.entry(self._words)
        introduced = entry is not None and entry.new_bits
        return "said" not in self._traits and not introduced and self._here.is_public(phrase, size)

    def _knows_root(self, word: str) -> bool:
        return self._here.known.knows_root(word, self._here.number, self._start)

    def _derived(self) -> Proof:
        return Proof(self._mention, Basis.DERIVED, 0.8, traits=("act",))

    def _of_word(self) -> Proof | None:
        """What an earlier use of the head in any role, of its root, or a similar word gives."""
        known, number = self._here.known, self._here.number
        rooted = not self._head.endswith(_AGENTS) and self._knows_root(self._head)
        if rooted or known.knows_word(self._head, number, self._start):
            return self._derived()
        return self._misspelt() if _SELF_EXPLAINING.isdisjoint(self._traits) else None

    def _misspelt(self) -> Proof | None:
        if self._head.endswith(_NUCLEIC_ACIDS):
            return None  # one of many: "mRNA" beside "miRNA"
        meant = self._here.known.like(self._head, self._here.number, self._start)
        if meant is None:
            return None
        candidates = self._here.sources(self._here.near(meant, self._start), self._start)
        return Proof(self._mention, Basis.TYPO, 0.8, candidates=candidates, meant=meant)

    def _of_an_act(self) -> Proof | None:
        """ "the heating step" after "to heat"."""
        act = self._head in ACTS and len(self._words) > 1 and self._knows_root(self._words[-2])
        return self._derived() if act else None


def _verb_of(noun: str) -> tuple[str, ...]:
    """The verb that a noun in -ure or -ison may be derived from: "exposure", "comparison"."""
    if noun in CONCRETE or noun in THINGS:
        return ()
    if noun.endswith("ure") and len(noun) > 6:
        return (noun[:-3] + "e",)
    return (noun[:-4] + "e",) if noun.endswith("ison") and len(noun) > 7 else ()


def _abbreviation(here: ResolutionContext, phrase: Phrase, size: int) -> Proof | None:
    """ "the BPF" after "a band pass filter"."""
    last = phrase.words[size - 1]
    end = phrase.ends[size - 1]
    if not 2 <= len(last) <= _MAX_ABBREVIATION_LETTERS or not here.text[end - len(last) : end].isupper():
        return None
    meant = here.known.abbreviated(last, here.number, phrase.start)
    return (
        None
        if meant is None
        else here.supported(phrase, size, meant, Basis.ABBREVIATION, 0.7, ("abbreviation",))
    )


def _more_about(here: ResolutionContext, phrase: Phrase, size: int) -> list[str]:
    traits = []
    qualifiers = phrase.words[: size - 1]
    if "only" in phrase.opening or any(word in _PICKING_OUT or is_superlative(word) for word in qualifiers):
        traits.append("limiting")
    elif not PRESUPPOSING.isdisjoint((*qualifiers, *phrase.opening)):
        traits.append("respective")
    if relation := _relation_of(here, phrase, size):
        traits.append(relation)
    after = here.after(phrase)
    if after not in PREDICATE and after not in {"of", "that", "which"}:
        cuts = (cut for cut in range(1, size) if not phrase.words[cut].endswith(NOUN_ENDINGS))
        if any(here.knows(phrase.words[:cut], phrase.start) for cut in cuts):
            traits.append("prefix_known")
    return traits


def _relation_of(here: ResolutionContext, phrase: Phrase, size: int) -> str:
    """Whether a qualifier is an element ("the reactor outlet": of_element), or they belong to a name with
    another head that is never taken up ("the drive rod" after "a drive shaft": orphan)."""
    qualifiers = sorted(name_of(phrase.words[:size]).qualifiers - ORDINALS)
    if any(here.near(word, phrase.start) for word in qualifiers):
        return "of_element"
    several = here.plural(phrase, size)
    renamed = qualifiers and any(
        len(each.name.qualifiers) == len(qualifiers)
        and here.cover(each, phrase.start)
        and here.orphaned(each, several=several)
        for each in here.known.qualified_by(qualifiers)
    )
    return "orphan" if renamed else ""


def _wanting(here: ResolutionContext, mention: Mention, traits: list[str]) -> Proof:
    """The proof of a phrase that is weakly supported, introduced elsewhere, or without basis."""
    entry = here.known.entry(mention.words)
    basis = Basis.NONE
    candidates: tuple[Mention, ...] = ()
    if not _SELF_EXPLAINING.isdisjoint(traits) or ("of" in traits and "said" not in traits):
        basis = Basis.INHERENT
    elif entry is not None and entry.bits:
        own = entry.places.get(here.number)
        basis = Basis.LATER if own is not None else Basis.SIBLING_ONLY
        claim, place = (here.number, own) if own is not None else next(iter(entry.places.items()))
        candidates = (mention_of(claim, place.phrase),)
        if own is None and any(here.known.ancestry.branch_alike(here.number, each) for each in entry.places):
            traits.append("skipped")
    return Proof(mention, basis, 0.5, candidates=candidates, traits=tuple(traits))
