"""One claim set with everything that its checks share, each worked out once and when first asked for."""

from __future__ import annotations

from functools import cached_property

from ace.claims.graph import ReferenceGraph
from ace.claims.model import ClaimSet
from ace.claims.references import Reference, references
from ace.claims.resolution import build_graph
from ace.claims.words import Word, words_of


class Reading:
    """A claim set as the checks see it. Not for use by two threads at once."""

    def __init__(self, claims: ClaimSet) -> None:
        self.claims = claims
        self._references: dict[int, tuple[Reference, ...]] = {}
        self._words: dict[int, list[Word]] = {}

    def references(self, number: int) -> tuple[Reference, ...]:
        """Every reference in the text of an existing claim, in order. KeyError for other numbers."""
        found = self._references.get(number)
        if found is None:
            claim = self.claims[number]
            found = self._references[number] = references(claim.text, number)
        return found

    def words(self, number: int) -> list[Word]:
        """Words, numbers and marks of an existing claim, in order. KeyError for other numbers."""
        found = self._words.get(number)
        if found is None:
            found = self._words[number] = words_of(self.claims[number].text)
        return found

    @cached_property
    def graph(self) -> ReferenceGraph:
        """Dependencies and noun phrases of the whole set, and what each definite one rests on."""
        return build_graph(self.claims, self.words, self.references)

    @cached_property
    def families(self) -> dict[int, int]:
        """For each claim the number of the independent claim that it goes back to by its first
        references; its own where it has no earlier parent."""
        roots: dict[int, int] = {}
        for claim in self.claims:
            earlier = next((roots[parent] for parent in claim.parents if parent in roots), claim.number)
            roots[claim.number] = earlier
        return roots

    @cached_property
    def whole(self) -> frozenset[int]:
        """Numbers of the claims whose chain refers only to other claims that exist.

        Where a claim's ancestor is missing, nobody can say what that ancestor introduced.
        """
        children: dict[int, list[int]] = {}
        lost: list[int] = []
        for claim in self.claims:
            for parent in claim.parents:
                children.setdefault(parent, []).append(claim.number)
            if any(parent == claim.number or self.claims.get(parent) is None for parent in claim.parents):
                lost.append(claim.number)
        broken = set(lost)
        while lost:
            for child in children.get(lost.pop(), ()):
                if child not in broken:
                    broken.add(child)
                    lost.append(child)
        return frozenset(claim.number for claim in self.claims if claim.number not in broken)
