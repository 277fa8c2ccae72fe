"""Builds the reference graph of a claim set: dependencies, noun phrases, and a proof for each definite one.

First everything that the claims introduce is collected. Then each claim is resolved after those that it
depends on, so that the work grows with the text, and not with the number of paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from ace.claims.language.noun_phrases import Determiner, Phrase, phrases_of
from ace.claims.language.words import Word, kept_by_text, words_of
from ace.claims.model import ClaimSet
from ace.claims.references.ancestry import Ancestry, Groups
from ace.claims.references.claim_references import Reference
from ace.claims.references.claim_text_index import ClaimTextIndex, index_of
from ace.claims.references.graph import Dependency, Proof, ReferenceGraph
from ace.claims.references.introductions import Introductions
from ace.claims.references.matching import WANTING, prove
from ace.claims.references.reintroductions import reintroduced_by
from ace.claims.references.resolution_context import ResolutionContext

# Python 3.11 is slow to reach a member of an enum by name.
_INDEFINITE: Final = Determiner.INDEFINITE
_THE: Final = Determiner.THE
_CLAIM: Final = frozenset({"claim", "claims"})
_WHICH_CLAIM: Final = frozenset(
    {
        "above",
        "appended",
        "dependent",
        "earlier",
        "following",
        "foregoing",
        "independent",
        "last",
        "method",
        "preceding",
        "previous",
        "prior",
        "product",
    }
)


class Settled(NamedTuple):
    """A definite phrase, the words that it was resolved by, and whether it lacks a basis."""

    phrase: Phrase
    words: tuple[str, ...]
    wanting: bool


def build_graph(
    claims: ClaimSet,
    words: Callable[[int], Sequence[Word]],
    references: Callable[[int], Iterable[Reference]],
    *,
    settled: Callable[[int], Iterable[Settled] | None] = lambda _number: None,
) -> ReferenceGraph:
    """The graph of a claim set, given the words and the references of each claim by its number.

    Claims that `settled` knows are not resolved again: the graph has only dependencies for them.
    """
    dependencies, groups = _dependencies(claims, references)
    spans: dict[int, list[tuple[int, int]]] = {}
    for each in dependencies:
        spans.setdefault(each.claim, []).append((each.reference.start, each.reference.end))
    known = Introductions(Ancestry(groups))
    texts = {claim.number: _index_of(claim.text, tuple(spans.get(claim.number, ()))) for claim in claims}
    for number, text in texts.items():
        known.add_claim(number, text)
    phrases: dict[int, Sequence[Phrase]] = {}
    proofs: dict[int, tuple[Proof, ...]] = {}
    reintroduced: dict[int, tuple[Proof, ...]] = {}
    for number in known.ancestry.order:
        before = settled(number)
        if before is not None:
            for phrase, named, wanting in before:
                (known.add_unsupported if wanting else known.add_supported)(number, named, phrase)
            continue
        here = ResolutionContext(known, number, claims[number].text, words)
        found = texts[number].phrases
        proved: list[Proof] = []
        again: list[Proof] = []
        for phrase, following in zip_longest(found, found[1:]):
            if phrase.determiner >= _THE:
                proved.append(prove(here, phrase, following))
            elif phrase.determiner is _INDEFINITE and (proof := reintroduced_by(here, phrase)):
                again.append(proof)
        phrases[number], proofs[number] = found, tuple(proved)
        reintroduced[number] = tuple(again)
    parents = {
        number: tuple(dict.fromkeys(each for group in mine for each in group))
        for number, mine in groups.items()
    }
    return ReferenceGraph(dependencies, phrases, proofs, reintroduced, parents)


def settled_by(text: str, references: Iterable[Reference], proofs: Iterable[Proof]) -> tuple[Settled, ...]:
    """The results that the proofs of a claim give, for `build_graph`'s `settled`."""
    phrases = _index_of(text, tuple((each.start, each.end) for each in references)).phrases
    definite = (phrase for phrase in phrases if phrase.determiner >= _THE)
    return tuple(
        Settled(phrase, proof.mention.words, proof.basis in WANTING)
        for phrase, proof in zip(definite, proofs, strict=True)
    )


@kept_by_text
def _index_of(text: str, spans: tuple[tuple[int, int], ...]) -> ClaimTextIndex:
    """The index of a text, given the spans of its references to claims."""
    return index_of(words_of(text), _of_things(phrases_of(text), spans))


def _of_things(phrases: Sequence[Phrase], spans: Sequence[tuple[int, int]]) -> list[Phrase]:
    """The phrases that name things and not claims: neither within a reference nor "the claims"."""
    kept: list[Phrase] = []
    ahead = 0
    for phrase in phrases:
        while ahead < len(spans) and spans[ahead][1] <= phrase.start:
            ahead += 1
        if ahead < len(spans) and spans[ahead][0] < phrase.end:
            continue
        if phrase.words[-1] in _CLAIM and all(word in _WHICH_CLAIM for word in phrase.words[:-1]):
            continue
        kept.append(phrase)
    return kept


def _dependencies(
    claims: ClaimSet, references: Callable[[int], Iterable[Reference]]
) -> tuple[tuple[Dependency, ...], dict[int, Groups]]:
    """Every reference with the existing claims that it means, and the same as groups of parents.

    A cumulative reference ("claims 1 and 2") gives one group for each claim, any other one group to
    choose from.
    """
    dependencies: list[Dependency] = []
    groups: dict[int, Groups] = {}
    for claim in claims:
        mine: list[tuple[int, ...]] = []
        for reference in references(claim.number):
            parents = tuple(
                each for each in reference.numbers if each != claim.number and claims.get(each) is not None
            )
            dependencies.append(Dependency(claim.number, reference, parents))
            if parents:
                mine.extend([(parent,) for parent in parents] if reference.cumulative else [parents])
        groups[claim.number] = tuple(mine)
    return tuple(dependencies), groups
