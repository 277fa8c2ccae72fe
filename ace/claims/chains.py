"""Claims that were stored as one text each (`model.kept_text`), read back into a set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final

from ace.claims.language.words import kept_by_text
from ace.claims.model import CHAIN_CUT, GONE, Claim, ClaimInput, ClaimSet, Status, kept_text
from ace.claims.reading import Reading
from ace.claims.references.claim_references import parents_of
from ace.claims.references.graph import ReferenceGraph
from ace.claims.references.graph_builder import Settled, build_graph, settled_by

_MAX_CLAIMS: Final = 48
_MAX_GRAPHS: Final = 64
"""Graphs that are kept: the claims of a filing are judged one after the other, each with its chain."""
_MAX_CHAINS: Final = 256
"""Chains whose results are kept; more than the longest chain has claims, so that none is lost within it."""

_parents_of = kept_by_text(parents_of)
_GONE: Final = {kept_text(Claim(1, "", status=status)): status for status in GONE}
_NUMBERED: Final = re.compile(r"\s*([0-9]{1,9})\s*\.\s?(.*)", re.DOTALL)


class BrokenChain(ValueError):
    """An entry of a chain that does not begin with its claim's number."""


def kept_claim(number: int, text: str) -> Claim:
    """The claim that `kept_text` was made of."""
    status = _GONE.get(text) or (None if text else Status.CANCELED)
    return Claim(number, text, _parents_of(text, number)) if status is None else Claim(number, "", (), status)


def kept_set(claims: Iterable[tuple[int, str]]) -> ClaimSet:
    """The set of (number, kept text), each number once."""
    return ClaimSet(tuple(kept_claim(number, text) for number, text in claims))


def chain_set(claim: ClaimInput) -> ClaimSet:
    """The claim and the part of its chain that was given, the claim first.

    Raises BrokenChain if an entry does not read "<number>. <text>".
    """
    found = {claim.number: Claim(claim.number, claim.text, _parents_of(claim.text, claim.number))}
    for ancestor in claim.ancestors:
        if ancestor != CHAIN_CUT:
            match = _NUMBERED.fullmatch(ancestor)
            if match is None:
                raise BrokenChain("an ancestor does not begin with its number")
            number = int(match[1])
            if number not in found:
                found[number] = kept_claim(number, match[2])
    return ClaimSet(tuple(found.values()))


class ChainReading(Reading):
    """A claim with its chain, as `chain_set` gives it, used for the claim alone.

    Each ancestor is resolved in its own chain, once for all claims that depend on it. A chain that is too
    long for that is read like any set.
    """

    @cached_property
    def graph(self) -> ReferenceGraph:
        """As for any reading, but with the mentions and proofs of the first claim only."""
        if len(self.claims) > _MAX_CLAIMS or self.claims.claims[0].number not in self.whole:
            return super().graph
        return _graph_of(self.claims.claims)


@lru_cache(maxsize=_MAX_GRAPHS)
def _graph_of(chain: tuple[Claim, ...]) -> ReferenceGraph:
    """The graph of a claim, which comes first, and its chain, which is complete (`Reading.whole`)."""
    reading = Reading(ClaimSet(chain))

    def settled(number: int) -> tuple[Settled, ...] | None:
        behind = reading.claims.ancestors(number)
        return (
            None
            if number == chain[0].number
            else _settled_in(tuple(map(reading.claims.__getitem__, (number, *behind))))
        )

    return build_graph(reading.claims, reading.words, reading.references, settled=settled)


@lru_cache(maxsize=_MAX_CHAINS)
def _settled_in(chain: tuple[Claim, ...]) -> tuple[Settled, ...]:
    """What the first claim of a chain settles."""
    number, text = chain[0].number, chain[0].text
    return settled_by(text, Reading(ClaimSet(chain)).references(number), _graph_of(chain).proofs[number])
