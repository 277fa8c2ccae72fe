"""One claim set with everything that its checks share, each worked out once and when first asked for."""

from __future__ import annotations

from functools import cached_property

from ace.claims.model import ClaimSet
from ace.claims.references import Reference, references


class Reading:
    """A claim set as the checks see it. Not for use by two threads at once."""

    def __init__(self, claims: ClaimSet) -> None:
        self.claims = claims
        self._references: dict[int, tuple[Reference, ...]] = {}

    def references(self, number: int) -> tuple[Reference, ...]:
        """Every reference in the text of an existing claim, in order. KeyError for other numbers."""
        found = self._references.get(number)
        if found is None:
            claim = self.claims[number]
            found = self._references[number] = references(claim.text, number)
        return found

    @cached_property
    def whole(self) -> frozenset[int]:
        """Numbers of the claims whose chain refers only to other claims that exist.

        Where a claim's ancestor is missing, nobody can say what that ancestor introduced.
        """
        broken = {
            claim.number
            for claim in self.claims
            if any(parent == claim.number or self.claims.get(parent) is None for parent in claim.parents)
        }
        return frozenset(
            claim.number
            for claim in self.claims
            if claim.number not in broken and broken.isdisjoint(self.claims.ancestors(claim.number))
        )
