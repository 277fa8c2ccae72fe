"""The result of an injector, and the few operations on claim sets that injectors share.

Every edit names the claim that it spoils, the label, and the span of the defect in the new text, so that a
row can be checked by hand and a probe can remove exactly the defect.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.claims.references.claim_references import parents_of


@dataclass(frozen=True, slots=True)
class Injection:
    """A claim set after one edit; start and end delimit the defect in claim `number` as edited.

    A placebo has the label "pass" and an empty span.
    """

    claims: ClaimSet
    number: int
    label: str
    subtype: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Noun phrases of the same split, to borrow names of other technologies from."""

    nouns: tuple[str, ...]


Injector = Callable[[ClaimSet, Claim, Random, Lexicon], Injection | None]
"""Returns None if the claim offers no place for this edit."""


def with_text(claims: ClaimSet, number: int, text: str) -> ClaimSet:
    """The set with one claim's text replaced and its references read again."""
    return ClaimSet(
        tuple(
            Claim(number, text, parents_of(text, number)) if claim.number == number else claim
            for claim in claims
        )
    )


def without(claims: ClaimSet, number: int) -> ClaimSet:
    """The set without one claim."""
    return ClaimSet(tuple(claim for claim in claims if claim.number != number))


def chain_text(claims: ClaimSet, number: int) -> str:
    """The texts of all ancestors of a claim, nearest first."""
    found = (claims.get(ancestor) for ancestor in claims.ancestors(number))
    return " ".join(claim.text for claim in found if claim is not None)


def splice(text: str, start: int, end: int, piece: str) -> str:
    """The text with [start:end] replaced."""
    return text[:start] + piece + text[end:]


def borrowed_noun(lexicon: Lexicon, rng: Random, *absent_from: str) -> str | None:
    """A noun phrase none of whose words occurs in the given texts, or None after twenty tries."""
    if not lexicon.nouns:
        return None
    known = set(" ".join(absent_from).lower().replace("-", " ").split())
    for _ in range(20):
        noun = rng.choice(lexicon.nouns)
        words = noun.lower().replace("-", " ").split()
        if not any(word in known or f"{word}s" in known for word in words):
            return noun
    return None
