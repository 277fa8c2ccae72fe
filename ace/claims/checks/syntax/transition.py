"""A claim has a transition between its preamble and its body, and behind its reference to another claim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.syntax.rules import RULE
from ace.claims.checks.syntax.words import NO_STEP
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import NOUNS_ING
from ace.claims.language.subject_matter import ClaimCategory, subject_of
from ace.claims.references.claim_references import Reference

_NO_TRANSITION: Final = "No transition (“comprising”, “consisting of”) separates the preamble from the body."
# What separates a preamble from a body in granted claims.
_PARTS: Final = re.compile(
    r"\b(?:compris|consist|includ|contain|having\b|has\b|have\b|wherein|whereby|characteri[sz]ed|improvement|composed"
    r"|steps?\b|formula|following|which\b|that\b|being\b|as\s(?:herein\w*\s)?(?:shown|described|defined|set\sforth)|ornamental)",
    re.IGNORECASE,
)
_OPENS_BODY: Final = re.compile(
    r"\b(?:compris|consist|includ|characteri[sz]ed|improvement|composed|ornamental)", re.IGNORECASE
)
_SHORT_CLAIM_WORDS: Final = 12
_WITH_PARTS: Final = frozenset({ClaimCategory.METHOD, ClaimCategory.APPARATUS, ClaimCategory.MEDIUM})


def transition(text: str) -> Iterator[Flaw]:
    """The flaw of an independent claim to a method or an apparatus that has no transition.

    Other things, as an antibody or a nucleic acid, are often claimed by what they are or do.
    """
    if len(text.split(None, _SHORT_CLAIM_WORDS)) <= _SHORT_CLAIM_WORDS or _PARTS.search(text):
        return
    subject = subject_of(text)
    if subject is not None and subject.category in _WITH_PARTS:
        yield Flaw(RULE["no_transition"], 0, _first_words(text), _NO_TRANSITION)


_WORDS: Final = re.compile(r"\S+(?:\s\S+){0,5}")


def _first_words(text: str) -> int:
    match = _WORDS.match(text)
    return match.end() if match else len(text)


_ADDS: Final = re.compile(
    r"\s?,?\s?(?P<start>(?:the|said|an?|each|every|both|one\sor\smore|at\sleast\sone|means|(?P<act>[a-z]{3,}ing))\s[A-Za-z-]+)"
)
_FINITE: Final = re.compile(r"\b(?:is|are|has|have|comprises?|includes?|contains?|consists?)\b")
# "the valve being open", "the circuit to count", "the lid hinged on": what is added has no verb of its own.
_JOINS: Final = re.compile(
    r"\b(?:where\w*|which|that|whose|further|to|[a-z]{2,}ing|[a-z]{2,}ed|for|made|built|set)\b"
)
_END_OF_CLAUSE: Final = re.compile(r"[.;]")
_NO_WHEREIN: Final = (
    "No transition (“wherein”, “further comprising”) leads from the reference to what the claim adds."
)
_REFERENCE_CHARACTERS: Final = 160


def _belongs(joins: re.Match[str], finite: re.Match[str]) -> bool:
    """Whether what seems to join belongs to the verb behind it: "the seal further comprises", "the first
    cutting comprises"."""
    near = finite.start() == joins.end() + 1
    return near and (joins.group() == "further" or joins.group().endswith("ing"))


def after_reference(text: str, references: tuple[Reference, ...]) -> Iterator[Flaw]:
    """A dependent claim whose addition follows its reference without "wherein" or "further comprising"."""
    if (
        not references
        or (end := references[0].end) > _REFERENCE_CHARACTERS
        or _OPENS_BODY.search(text, 0, end)
    ):
        return
    adds = _ADDS.match(text, end)
    if adds is None or (adds["act"] or "") in NO_STEP:
        return
    stop = _END_OF_CLAUSE.search(text, end)
    clause = stop.start() if stop else len(text)
    joins = next(
        (each for each in _JOINS.finditer(text, adds.end(), clause) if each.group() not in NOUNS_ING), None
    )
    finite = _FINITE.search(text, adds.end(), clause)
    if adds["act"] and finite is None:
        return
    if joins is None or (finite is not None and (finite.start() < joins.start() or _belongs(joins, finite))):
        yield Flaw(
            RULE["no_transition"], adds.start("start"), adds.end("start"), _NO_WHEREIN, None, ("dependent",)
        )
