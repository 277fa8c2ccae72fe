"""How the claims of a set are related; computed once for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from ace.claims.language.subject_matter import Subject, bare, opening_before, subject_of
from ace.claims.language.words import LOST, lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading
from ace.claims.references.claim_references import Reference

MAX_CHAIN_CLAIMS: Final = 30
"""How many claims of a chain are compared with the words of a dependent claim."""


_OPENING_CHARACTERS: Final = 400
"""How many characters of a claim are read for its opening words."""


# A lost formula, table or image: "[formula]", "of formula,", "a compound of the structure:", "is or a salt".
_HOLE: Final = re.compile(
    rf"{LOST}|□|###"
    r"|\b(?:[Ff]ormula|[Ee]quation|structure|following)\s?[:.;,]\s?(?:\Z|where|in\swhich|and|or|[,.;:])"
    r"|\b(?:is|are|of|wherein):?\s(?:or|and)\b"
)


class ClaimRelations:
    """What the checks of dependency need from a whole set; every answer takes time linear in its size."""

    def __init__(self, reading: Reading) -> None:
        self.claims = reading.claims
        # Not the reading itself, which keeps this object: neither would be freed before the collector runs.
        self.references = {claim.number: reading.references(claim.number) for claim in self.claims}
        self._subjects: dict[int, Subject | None] = {}
        self._plain: dict[int, str] = {}
        self._openings: dict[int, str] = {}

    def subject(self, number: int) -> Subject | None:
        """What the claim is directed to."""
        if number not in self._subjects:
            self._subjects[number] = subject_of(self.claims[number].text)
        return self._subjects[number]

    def plain(self, number: int) -> str:
        """The claim in lower case with single spaces, and "the" for "said"."""
        text = self._plain.get(number)
        if text is None:
            lower = " ".join(self.claims[number].text.lower().split())
            text = self._plain[number] = lower.replace("said ", "the ")
        return text

    @cached_property
    def claimed(self) -> frozenset[tuple[str, ...]]:
        """The words of what the claims are directed to as something new, in the singular."""
        subjects = (self.subject(claim.number) for claim in self.claims if claim.pending)
        return frozenset(
            tuple(map(lemma, each.words)) for each in subjects if each is not None and not each.definite
        )

    def named_in_full(self, claim: Claim, reference: Reference) -> bool:
        """Whether the words before the reference are how its claims open: "A lid for a jar according to claim
        1" if claim 1 is to "a lid for a jar". The reference is then to the lid, and not to the jar."""
        own = self.subject(claim.number)
        phrase = opening_before(claim.text, own, reference.start) if own is not None else ""
        return bool(phrase) and all(self._opens_with(number, phrase) for number in reference.numbers)

    def _opens_with(self, number: int, phrase: str) -> bool:
        if number not in self._openings:
            parent = self.claims.get(number)
            self._openings[number] = (
                f"{bare(parent.text[:_OPENING_CHARACTERS])} " if parent is not None else ""
            )
        return self._openings[number].startswith(f"{phrase} ")

    def chain(self, number: int) -> tuple[int, ...]:
        """The claim and those it depends on, nearest first, up to MAX_CHAIN_CLAIMS of them."""
        found = [number]
        for each in found:
            for parent in self.claims[each].parents:
                if (
                    len(found) < MAX_CHAIN_CLAIMS
                    and parent not in found
                    and self.claims.get(parent) is not None
                ):
                    found.append(parent)
        return tuple(found)

    def multiple_below(self, number: int) -> int | None:
        """This claim, or its nearest ancestor, that refers to several claims; None if there is none."""
        return self._multiple.get(number)

    def in_circle(self, number: int, other: int) -> bool:
        """Whether the two claims depend on each other."""
        circle = self._circles.get(number)
        return circle is not None and circle == self._circles.get(other)

    def same_as(self, claim: Claim) -> int | None:
        """The first earlier claim with the same words, or None; also None for a claim that breaks off or has
        lost a formula, which cannot be compared."""
        first = self._first.get(self.plain(claim.number), claim.number)
        if first == claim.number or not claim.text.rstrip().endswith(".") or _HOLE.search(claim.text):
            return None
        return first

    @cached_property
    def _first(self) -> dict[str, int]:
        first: dict[str, int] = {}
        for claim in self.claims:
            if claim.pending:
                first.setdefault(self.plain(claim.number), claim.number)
        return first

    @cached_property
    def _multiple(self) -> dict[int, int]:
        """The nearest claim in its chain that refers to several claims, for each claim that has one; found
        breadth first from such claims down to their children."""
        children: dict[int, list[int]] = {}
        for claim in self.claims:
            for parent in dict.fromkeys(claim.parents):
                children.setdefault(parent, []).append(claim.number)
        found = {number: number for number, each in self.references.items() if any(r.several for r in each)}
        level = list(found)
        while level:
            following: list[int] = []
            for number in level:
                for child in children.get(number, ()):
                    if child not in found:
                        found[child] = found[number]
                        following.append(child)
            level = following
        return found

    @cached_property
    def _circles(self) -> dict[int, int]:
        """For claims that depend on themselves through others: a number common to their circle."""
        parents = {
            claim.number: {p for p in claim.parents if p != claim.number and self.claims.get(p) is not None}
            for claim in self.claims
        }
        if all(parent < number for number, each in parents.items() for parent in each):
            return {}
        return _components(parents)


def _components(parents: dict[int, set[int]]) -> dict[int, int]:
    """Strongly connected components of more than one node, by a representative (Kosaraju, no recursion)."""
    children: dict[int, set[int]] = {number: set() for number in parents}
    for number, each in parents.items():
        for parent in each:
            children[parent].add(number)
    component: dict[int, int] = {}
    placed: set[int] = set()
    for root in reversed(_finished(parents, parents, set())):
        members = _finished(children, (root,), placed)
        if len(members) > 1:
            component |= dict.fromkeys(members, root)
    return component


def _finished(edges: Mapping[int, Iterable[int]], roots: Iterable[int], seen: set[int]) -> list[int]:
    """The nodes that are reached from the roots and not `seen` yet, each after those it leads to."""
    order: list[int] = []
    for root in roots:
        stack = [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                stack.extend((each, False) for each in edges[node] if each not in seen)
    return order
