"""One claim set with everything that its checks share; each part is computed once, when first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Final, TypeVar, TypeVarTuple

from ace.claims.language.words import Word, kept_by_text, lower_words_of, words_of
from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import Reference, references
from ace.claims.references.graph import ReferenceGraph
from ace.claims.references.graph_builder import build_graph
from ace.claims.terms import NO_TERMS, Terms, joined

_references = kept_by_text(references)
_NOT_MADE: Final[Any] = object()
_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


class Reading:
    """A claim set as the checks see it. Not thread-safe.

    `filed` is the set as it came. In `claims`, the terms that the list keeps together are one word each, at
    the same offsets; `as_written` undoes that in what a check says.
    """

    def __init__(self, claims: ClaimSet, terms: Terms = NO_TERMS) -> None:
        read = joined(claims, terms)
        self.filed, self.claims, self.terms = claims, read.claims, terms
        self.as_written = read.as_written
        self._references: dict[int, tuple[Reference, ...]] = {}
        self._words: dict[int, Sequence[Word]] = {}
        self._kept: dict[tuple[object, ...], Any] = {}

    def kept(self, make: Callable[[Reading, *_Given], _Made], *given: *_Given) -> _Made:
        """What `make` returns for this reading and what else it is given, which is hashable: made when first
        asked for, and dropped with the reading.

        It should not refer to the reading, so that both go as soon as the reading is no longer used.
        """
        key = (make, *given)
        made: _Made = self._kept.get(key, _NOT_MADE)
        if made is _NOT_MADE:
            made = self._kept[key] = make(self, *given)
        return made

    def references(self, number: int) -> tuple[Reference, ...]:
        """Every reference in the text of a claim, in order. Raises KeyError if there is no such claim."""
        found = self._references.get(number)
        if found is None:
            claim = self.claims[number]
            found = self._references[number] = _references(claim.text, number)
        return found

    def words(self, number: int) -> Sequence[Word]:
        """Words, numbers and marks of a claim, in order. Raises KeyError if there is no such claim."""
        found = self._words.get(number)
        if found is None:
            found = self._words[number] = words_of(self.claims[number].text)
        return found

    def lowers(self, number: int) -> tuple[str, ...]:
        """Those in lower case, without their places."""
        return lower_words_of(self.claims[number].text)

    @cached_property
    def graph(self) -> ReferenceGraph:
        """Dependencies and noun phrases of the whole set, and what each definite phrase rests on."""
        return build_graph(self.claims, self.words, self.references)

    @cached_property
    def whole(self) -> frozenset[int]:
        """Numbers of the claims whose chain is complete: it refers only to pending claims, and ends.

        If an ancestor is missing or canceled, nobody can say what it introduced.
        """
        children: dict[int, list[int]] = {}
        for claim in self.claims:
            for parent in claim.parents:
                children.setdefault(parent, []).append(claim.number)
        lost = [claim.number for claim in self.claims if self._is_lost(claim)]
        broken = set(lost)
        while lost:
            for child in children.get(lost.pop(), ()):
                if child not in broken:
                    broken.add(child)
                    lost.append(child)
        return frozenset(claim.number for claim in self.claims if claim.number not in broken)

    def _is_lost(self, claim: Claim) -> bool:
        """Whether a reference of the claim leads nowhere, or back to the claim."""
        for parent in claim.parents:
            found = self.claims.get(parent)
            if parent == claim.number or found is None or not found.pending:
                return True
            if parent > claim.number and claim.number in self.claims.ancestors(parent):
                return True
        return any(not reference.numbers for reference in self.references(claim.number))
