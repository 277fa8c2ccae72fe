"""Whether a dependent claim adds anything to its parents (35 U.S.C. 112(d); MPEP 608.01(n) III)."""

from __future__ import annotations

import re
from typing import Final

from ace.claims.checks.dependency.claim_relations import ClaimRelations
from ace.claims.checks.dependency.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.subject_matter import Subject, generic, own_subject
from ace.claims.model import Claim
from ace.claims.references.claim_references import Reference

_SUBSTANCE: Final = re.compile(r"[^\W_]")
_LEAD: Final = re.compile(
    r"\W*(?:further\s)?(?:(?:and\s)?wherein|in\swhich|whereby|characteri[sz]ed\s(?:in\sthat|by)|comprising|where)?\W*"
)
_MIN_WORDS: Final = 3
"""How many words a repeated clause must have to count."""


def not_narrowing(relations: ClaimRelations, claim: Claim) -> Flaw | None:
    """The flaw of a claim in dependent form that adds nothing or repeats a clause of each parent, or None."""
    references = relations.references[claim.number]
    own = relations.subject(claim.number)
    if len(references) != 1 or own is None:
        return None
    reference = references[0]
    parents = [number for number in reference.numbers if relations.claims.get(number) is not None]
    refers = not reference.other_category and own_subject(claim.text, own, reference.start)
    if not parents or not (refers or relations.named_in_full(claim, reference)):
        return None
    body = claim.text[reference.end :]
    if _SUBSTANCE.search(body) is None:
        return _empty(relations, claim, own, reference, parents)
    clause = _clause(body)
    if clause.count(" ") + 1 < _MIN_WORDS or clause.endswith(":"):  # it lost the formula or list behind it
        return None
    if not all(_says(relations, claim.number, number, clause) for number in parents):
        return None
    words = f"Claim {claim.number} only repeats what claim {parents[0]} already says."
    return Flaw(RULE["not_narrowing"], *_span(claim.text, reference.end), words, None, ("repeats",))


def _clause(body: str) -> str:
    """The body in lower case without the words that join it to its preamble."""
    lower = " ".join(body.lower().split()).replace("said ", "the ")
    lead = _LEAD.match(lower)
    return lower[lead.end() if lead else 0 :].rstrip(" .;,")


def _empty(
    relations: ClaimRelations, claim: Claim, own: Subject, reference: Reference, parents: list[int]
) -> Flaw | None:
    """A claim that ends with its reference; words before its subject's head may still limit it."""
    said = " ".join(relations.plain(number) for number in parents)
    adds = any(word not in said for word in own.words[:-1]) or not (
        own.words[-1] in said or generic(own.head)
    )
    if adds:
        return None
    words = f"Claim {claim.number} adds nothing to claim {parents[0]}."
    return Flaw(RULE["not_narrowing"], own.start, reference.end, words, None, ("empty",))


def _says(relations: ClaimRelations, own: int, number: int, clause: str) -> bool:
    """Whether claim `number`, or one of its nearest ancestors, has the clause as a whole clause."""
    return any(_stands_in(relations.plain(each), clause) for each in relations.chain(number) if each != own)


def _stands_in(text: str, clause: str) -> bool:
    at = text.find(clause)
    while at >= 0:
        if _whole(text, at, at + len(clause)):
            return True
        at = text.find(clause, at + len(clause))
    return False


_BEGINS: Final = re.compile(r"(?:[;:]|wherein|in which|whereby|that|,\sand|\()[,\s]*\Z")
_ENDS: Final = re.compile(r"\s?(?:[;.)]|\Z|,?\s(?:and\s)?wherein\b)")


def _whole(text: str, start: int, end: int) -> bool:
    return _ENDS.match(text, end) is not None and _BEGINS.search(text, max(0, start - 12), start) is not None


def _span(text: str, start: int) -> tuple[int, int]:
    """What follows the reference, without marks and spaces around it."""
    while start < len(text) and not text[start].isalnum():
        start += 1
    return start, max(start, len(text.rstrip(" .;,\n\t")))
