"""Whether a definite phrase means as many things as were introduced: "the pins" after "a pin", "the pin"
after "pins", "the other pin" after one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from ace.claims.language.lexicon import (
    DISTRIBUTIVE,
    EXACT,
    JOINING,
    ORDINALS,
    PICKING,
    PREDICATE,
    SHARING,
    SINGULAR_VERBS,
    SPANNING,
    TWOFOLD,
)
from ace.claims.language.noun_phrases import Determiner, Phrase
from ace.claims.language.words import Word, lemma
from ace.claims.references.claim_text_index import Occurrence
from ace.claims.references.graph import Basis, Proof
from ace.claims.references.introductions import Entry
from ace.claims.references.qualification import WORDS_NEAR
from ace.claims.references.resolution_context import ResolutionContext

_WORDS_AROUND: Final = 12
_MAX_LIMB_WORDS: Final = 80
_COUNTING_WORDS: Final = 3
_LIMB_MARKS: Final = frozenset({";", ":"})
_NEW_ELEMENT: Final = JOINING | _LIMB_MARKS | {"wherein"}
_JOINING: Final = JOINING | SPANNING
_PICKING: Final = PICKING | {"associated", "corresponding"}
_AT_LEAST_ONE: Final = ["least", "one"]
_TOGETHER: Final = frozenset({"and", "or", "and/or"})
_BEFORE_SHARING: Final = frozenset({"the", "said", "both"})


def in_number(
    here: ResolutionContext,
    phrase: Phrase,
    size: int,
    entry: Entry,
    basis: Basis = Basis.EXPLICIT,
    alike: Sequence[Entry] = (),
) -> Proof:
    """Supported by the entry, or introduced only in the other number. `alike` are all that it may mean."""
    plural = here.plural(phrase, size)
    counted = (
        not plural
        or "such" in phrase.opening
        or len(alike) > 1
        or (entry.plural_bits | entry.another_bits | entry.twice_bits) & here.behind
        or _one_by_one(here, entry, phrase.start)
        or _shares_its_noun(here, phrase)
        or here.place(entry, phrase.start)[1].phrase.determiner is not Determiner.INDEFINITE
    )
    if plural and counted and _miscounted(here, phrase, entry):
        traits = ("miscounted", *here.about(phrase, size))
        return here.supported(phrase, size, entry, Basis.NUMBER_SHIFT, 0.6, traits)
    if not counted and not _is_shared_out(here, *here.place(entry, phrase.start), _opening(here, phrase)):
        traits = _number_traits(here, phrase, size)
        return here.supported(phrase, size, entry, Basis.NUMBER_SHIFT, 0.6, traits)
    if basis is not Basis.EXPLICIT:
        return here.supported(phrase, size, entry, basis, 0.85)
    return (
        here.supported(phrase, size, entry, Basis.EXPLICIT, 0.99)
        if plural
        else _one(here, phrase, size, entry)
    )


def _one(here: ResolutionContext, phrase: Phrase, size: int, entry: Entry) -> Proof:
    """ "the pin", where pins, a pin, or a pin beside a pin were introduced."""
    if not entry.singular_bits & here.behind:
        return _one_of_several(here, phrase, size, entry)
    if entry.paired_bits & here.behind and _stands_alone(here, phrase, size):
        mention, candidates = here.mention(phrase, size), here.sources([entry], phrase.start)
        return Proof(mention, Basis.AMBIGUOUS, 0.5, candidates=candidates, traits=("counted",))
    return here.supported(phrase, size, entry, Basis.EXPLICIT, 0.99)


def _stands_alone(here: ResolutionContext, phrase: Phrase, size: int) -> bool:
    """Whether nothing behind a phrase says which thing is meant: not "the kettle of steel"."""
    after = here.after(phrase)
    return size < len(phrase.words) or after in PREDICATE or not after.isalnum() or after == "and"


def _opening(here: ResolutionContext, phrase: Phrase) -> int:
    """Where a phrase begins, with the "each of" before it."""
    at = phrase.first - len(phrase.opening)
    before = [word.lower for word in here.words[max(0, at - 2) : at]]
    return here.words[at - 2].start if before == ["each", "of"] else phrase.start


def _miscounted(here: ResolutionContext, phrase: Phrase, entry: Entry) -> bool:
    """Whether another number of them was introduced at once: "the two pins" after "three pins"."""
    said = next((EXACT[word] for word in phrase.opening if word in EXACT), 0)
    if not said:
        return False
    claim, place = here.place(entry, phrase.start)
    first = place.phrase.first
    around = here.words_of(claim)[max(0, first - _COUNTING_WORDS) : first]
    introduced = {EXACT[word.lower] for word in around if word.lower in EXACT}
    return bool(introduced) and said not in introduced and not _one_by_one(here, entry, phrase.start)


def _one_of_several(here: ResolutionContext, phrase: Phrase, size: int, entry: Entry) -> Proof:
    """ "the pin" after pins: any of them, if so many were counted ("two pins") and none was picked out."""
    if _is_counted(here, phrase, entry):
        mention, candidates = here.mention(phrase, size), here.sources([entry], phrase.start)
        traits = ("counted", *here.which(phrase, size))
        return Proof(mention, Basis.AMBIGUOUS, 0.5, candidates=candidates, traits=traits)
    return here.supported(phrase, size, entry, Basis.NUMBER_SHIFT, 0.8, ("singular_of_plural",))


def _is_counted(here: ResolutionContext, phrase: Phrase, entry: Entry) -> bool:
    """Whether several were counted, and no words pick one out of them ("each of the pins … the pin") or leave
    it open whether there are several ("one or more pins")."""
    bits = entry.bits & here.behind
    if bits & here.own and entry.places[here.number].start >= phrase.start:
        bits ^= here.own
    counted = entry.counted_bits & bits
    if not counted:
        return False
    near = here.words[max(0, phrase.first - _WORDS_AROUND) : phrase.first]
    before = [word.lower for word in near if word.start > here.referred or phrase.start < here.referred]
    before.extend(phrase.words[:-1])
    claim = here.known.ancestry.nearest(here.number, counted)
    there, introduced = here.words_of(claim), entry.places[claim].phrase
    at = introduced.first
    around = [word.lower for word in there[max(0, at - 3) : introduced.last + WORDS_NEAR]]
    opening = [each.lower for each in there[max(0, at - 2) : at]]
    return not (
        not _PICKING.isdisjoint((*before, *around))
        or ("one", "of") in pairwise(before)
        or ("least", "one") in pairwise(before[-len(phrase.words) - 1 :])
        or opening == _AT_LEAST_ONE
        or opening[-1:] == ["more"]
        or here.known.picks_out(lemma(phrase.words[-1]), here.number, phrase.start)
    )


def _one_by_one(here: ResolutionContext, entry: Entry, before: int) -> bool:
    """Whether more than one thing of this name's head has been introduced, one by one."""
    seen = set()
    for other in here.near(entry.name.head, before):
        if entry.name.qualifiers <= other.name.qualifiers:
            claim, place = here.place(other, before)
            if not place.phrase.definite:
                seen.add((claim, place.start))
    return len(seen) > 1


def _number_traits(here: ResolutionContext, phrase: Phrase, size: int) -> tuple[str, ...]:
    """What makes a plural of one thing more surprising, or less: "the first and the second pins"."""
    joined = phrase.first >= 2 and here.words[phrase.first - 2].lower in _JOINING
    traits = (
        "plural_of_singular",
        "disagreeing" if size == len(phrase.words) and here.after(phrase) in SINGULAR_VERBS else "",
        *here.about(phrase, size),
        "joined" if joined else "",
    )
    return tuple(filter(None, traits))


def _shares_its_noun(here: ResolutionContext, phrase: Phrase) -> bool:
    """Whether the plural is that of two phrases: "the first and the second pins"."""
    at = phrase.first - len(phrase.opening) - 1
    if at < 2 or here.words[at].lower not in _TOGETHER or here.words[at - 2].lower not in _BEFORE_SHARING:
        return False
    word = here.words[at - 1].lower
    return word in ORDINALS or word in TWOFOLD or "-" in word


def _is_shared_out(here: ResolutionContext, claim: int, place: Occurrence, before: int) -> bool:
    """Whether one noun may stand for several things: "each arm has a pin", "a pin on each arm"."""
    words, introduced = here.words_of(claim), place.phrase
    until = before if claim == here.number else words[-1].end
    for word in words[introduced.last : introduced.last + WORDS_NEAR]:
        if word.lower in _NEW_ELEMENT or word.start >= until:
            break
        if word.lower in DISTRIBUTIVE:
            return True
    for word in reversed(words[max(0, introduced.first - _MAX_LIMB_WORDS) : introduced.first]):
        if word.lower in _LIMB_MARKS:
            break
        if word.lower in DISTRIBUTIVE:
            return True
    return any(word.lower in SHARING for word in _rest_of_limb(words, introduced.last, until))


def _rest_of_limb(words: Sequence[Word], at: int, until: int) -> Iterator[Word]:
    """The words from a place to the next semicolon or colon."""
    for word in words[at : at + _MAX_LIMB_WORDS]:
        if word.lower in _LIMB_MARKS or word.start >= until:
            break
        yield word
