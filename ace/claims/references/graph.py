"""The reference graph of a claim set: its dependencies, its noun phrases, and what each "the" rests on.

Only types, what phrases mention, and the paths through the dependencies; graph_builder.py fills them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from ace.claims.language.noun_phrases import Phrase
from ace.claims.language.words import is_plural, lemma
from ace.claims.references.ancestry import MAX_PATH_CLAIMS
from ace.claims.references.claim_references import Reference

MAX_PATHS: Final = 64
"""The maximum number of paths that are listed for one claim."""

MAX_LISTED_CLAIMS: Final = 1_000
"""No further path is listed for a claim once its paths have so many claims."""


class Basis(StrEnum):
    """How a definite phrase is supported, from the strongest basis to none."""

    EXPLICIT = "explicit"  # introduced earlier in the same claim
    INHERITED = "inherited"  # introduced in a claim that this one depends on, along every path
    NUMBER_SHIFT = "number_shift"  # introduced in the other number
    INHERENT = "inherent"  # part or property of what is known, or known to everyone (MPEP 2173.05(e))
    DERIVED = "derived"  # made of a verb or adjective that is there: "the detected motion"
    ABBREVIATION = "abbreviation"  # initials of what was introduced
    HEAD_MATCH = "head_match"  # the same head, the qualification differing without harm
    TYPO = "typo"  # one or two letters from what was introduced
    AMBIGUOUS = "ambiguous"  # several things it could mean
    SIBLING_ONLY = "sibling_only"  # introduced only in a claim that this one does not depend on
    SOME_PATHS = "some_paths"  # introduced along some paths and not along others
    LATER = "later"  # introduced only further on in the same claim
    NONE = "none"


class Mention(NamedTuple):
    """A noun phrase: text[start:end] of claim number `claim`, determiner and reference numeral included.

    `words` are lower case without determiner, the head last; `head` is its singular. `definite` is
    a "the" or "said" phrase; any other may introduce something.
    """

    claim: int
    start: int
    end: int
    words: tuple[str, ...]
    head: str
    plural: bool
    definite: bool
    numeral: str = ""


_mention = partial(tuple.__new__, Mention)  # quicker than Mention(…)


def mention_of(number: int, phrase: Phrase, size: int = 0) -> Mention:
    """The mention that a phrase makes, or its first `size` words."""
    whole = not size or size == len(phrase.words)
    words = phrase.words if whole else phrase.words[:size]
    return _mention(
        (
            number,
            phrase.start,
            phrase.ends[len(words) - 1],
            words,
            lemma(words[-1]),
            phrase.several if whole else is_plural(words[-1]),
            phrase.definite,
            phrase.numeral if whole else "",
        )
    )


class Proof(NamedTuple):
    """What a definite mention rests on.

    `source` is the mention that introduces it, `path` the claims from its own to that of the source.
    `candidates` are rivals (ambiguous), or other introductions (sibling_only, later, typo);
    `missing` are the paths without basis. `repeats` is an earlier mention, here or in a claim that
    this one depends on, that lacks a basis in the same way; `meant` is the lemma that a typo stands for.
    `traits` are stable words for what was noticed, `confidence` a rough probability that the basis is right.
    """

    mention: Mention
    basis: Basis
    confidence: float
    source: Mention | None = None
    path: tuple[int, ...] = ()
    candidates: tuple[Mention, ...] = ()
    missing: tuple[tuple[int, ...], ...] = ()
    repeats: Mention | None = None
    meant: str = ""
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dependency:
    """One reference in the text of claim number `claim`, and the existing claims that it means."""

    claim: int
    reference: Reference
    parents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReferenceGraph:
    """Dependencies in order; the noun phrases that name things, and the proofs of the definite ones, by claim
    number, each in order of position.

    `reintroduced` has the proofs that an indefinite mention ("a lever") names something introduced before.
    """

    dependencies: tuple[Dependency, ...]
    phrases: Mapping[int, Sequence[Phrase]]
    proofs: Mapping[int, tuple[Proof, ...]]
    reintroduced: Mapping[int, tuple[Proof, ...]]
    _parents: Mapping[int, tuple[int, ...]] = field(repr=False)

    def mentions(self, number: int) -> tuple[Mention, ...]:
        """The mentions of a claim, in order of position."""
        proofs = iter(self.proofs.get(number, ()))
        return tuple(
            next(proofs).mention if phrase.definite else mention_of(number, phrase)
            for phrase in self.phrases.get(number, ())
        )

    def parents(self, number: int) -> tuple[int, ...]:
        """The existing claims that this one refers to, each once, in order."""
        return self._parents.get(number, ())

    def paths(self, number: int) -> tuple[tuple[int, ...], ...]:
        """Paths from this claim, which comes first, to an independent one; at most MAX_PATHS. No claim
        is repeated on a path, so a circular reference ends it, and so does MAX_PATH_CLAIMS."""
        found: list[tuple[int, ...]] = []
        waiting: list[tuple[int, ...]] = [(number,)]
        while waiting and len(found) < MAX_PATHS and sum(map(len, found)) < MAX_LISTED_CLAIMS:
            path = waiting.pop()
            further = [parent for parent in self.parents(path[-1]) if parent not in path]
            if not further or len(path) == MAX_PATH_CLAIMS:
                found.append(path)
            else:
                waiting.extend((*path, parent) for parent in reversed(further[:MAX_PATHS]))
        return tuple(found)
