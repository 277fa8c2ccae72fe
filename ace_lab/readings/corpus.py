"""The real claim sets that readings refer to, by patent number, with the split of each family."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ace.claims.model import ClaimSet
from ace.errors import Refused
from ace_lab.data.pools import split_of
from ace_lab.data.sources import SourceSet, canonical_claim, read_sources
from ace_lab.readings.records import Edit


@dataclass(frozen=True, slots=True)
class RealSet:
    """A complete claim set as filed or granted, in canonical spelling."""

    patent: str
    family: str
    source: str
    split: str
    granted: bool
    claims: ClaimSet


@dataclass(frozen=True, slots=True)
class Corpus:
    """Complete claim sets by patent number, in an order that depends on nothing but the numbers."""

    sets: dict[str, RealSet]

    def of(self, split: str) -> list[RealSet]:
        """The sets of one split."""
        return [member for member in self.sets.values() if member.split == split]


def read_corpus(path: Path) -> Corpus:
    """The complete sets of a file as in `ace data build`. Raises Refused."""
    found = corpus_of(read_sources([path]).sets)
    if not found.sets:
        raise Refused(f"{path} has no complete claim set", code="empty")
    return found


def corpus_of(sources: Iterable[SourceSet]) -> Corpus:
    """The complete ones of these sets."""
    found = [
        RealSet(
            source.name or source.family,
            source.family,
            source.source,
            split_of(source.family),
            source.granted,
            source.claims,
        )
        for source in sources
        if len(source.claims) and source.complete
    ]
    return Corpus(
        {member.patent: member for member in sorted(found, key=lambda member: drawn(member.patent))}
    )


def drawn(*parts: object) -> bytes:
    """A place in a random order that is the same everywhere."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()


def spread(groups: Iterable[list[tuple[str, int]]], count: int) -> list[tuple[str, int]]:
    """Up to `count` items, one of each group in turn."""
    queues = [list(group) for group in groups]
    taken: list[tuple[str, int]] = []
    while len(taken) < count and any(queues):
        for queue in queues:
            if queue and len(taken) < count:
                taken.append(queue.pop(0))
    return taken


def edited_set(member: RealSet, edit: Edit) -> ClaimSet:
    """The set with one edit made, its dependencies read again."""
    edited = canonical_claim(edit.claim, edit.applied(member.claims[edit.claim].text))
    return ClaimSet(tuple(edited if claim.number == edit.claim else claim for claim in member.claims))
