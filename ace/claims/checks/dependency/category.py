"""Whether "the method of claim 1" refers to a method: the category that it names, and its parent's."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ace.claims.checks.dependency.claim_relations import ClaimRelations
from ace.claims.checks.dependency.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.subject_matter import ClaimCategory, Subject, generic, modified_by, own_subject
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.references.claim_references import Reference

_METHOD: Final = re.compile(r"\b(?:method|process|procedure)", re.IGNORECASE)
_OF_MATTER: Final = " of matter"
_LOOK_BACK_CHARACTERS: Final = 150
"""Characters before a noun in which another noun may be that the reference belongs to."""


def mismatch(relations: ClaimRelations, claim: Claim, reference: Reference) -> Flaw | None:
    """The flaw of a reference that calls a claim something that it is not, or None."""
    own = _own(relations, claim)
    direct = own is not None and own_subject(claim.text, own, reference.start)
    named = own if direct else modified_by(claim.text, reference.start)
    if named is None or named.category is ClaimCategory.UNKNOWN:
        return None
    wrong: list[tuple[int, Subject, tuple[str, ...]]] = []
    for number in reference.numbers:
        parent = relations.subject(number) if relations.claims.get(number) is not None else None
        if parent is None:
            continue
        signals = _differ(relations, named, number, parent, direct=direct)
        if signals is not None and (direct or not _loose(claim.text, own, named, parent)):
            wrong.append((number, parent, signals))
        elif reference.preceding:
            return None
    if not wrong:
        return None
    number, parent, signals = wrong[0]
    if not direct:
        signals = (*signals, "inner")
    if not named.definite:
        signals = (*signals, "indefinite")
    called = claim.text[named.start : named.end]
    subject = relations.claims[number].text[parent.start : parent.end]
    words = f"Claim {claim.number} refers to claim {number} as “{called}”, but that claim is to “{subject}”."
    return Flaw(RULE["category_mismatch"], named.start, reference.end, words, None, signals)


def _own(relations: ClaimRelations, claim: Claim) -> Subject | None:
    """The subject of the claim; of a composition of matter, to the end of these words."""
    own = relations.subject(claim.number)
    if own is None or not claim.text.startswith(_OF_MATTER, own.end):
        return own
    return replace(own, end=own.end + len(_OF_MATTER))


def _loose(text: str, own: Subject | None, named: Subject, parent: Subject) -> bool:
    """Whether the reference may belong to a noun further ahead than the one beside it: "a method for coating
    a wheel according to claim 1", "a program for the method of coating a wheel according to claim 1"."""
    if own is None or own.category is ClaimCategory.UNKNOWN or own.head == parent.head:
        return True
    if own.category.activity and parent.category.activity:
        return True
    return parent.head in text[max(0, named.start - _LOOK_BACK_CHARACTERS) : named.start].lower()


def _differ(
    relations: ClaimRelations, named: Subject, number: int, parent: Subject, *, direct: bool
) -> tuple[str, ...] | None:
    """Signals of a difference between what a claim is called and what it is, or None if they agree."""
    if direct and _is_claimed_elsewhere(relations, named, number, parent):
        return ("claimed_elsewhere",)
    if named.head == parent.head or parent.category is ClaimCategory.UNKNOWN:
        return None
    text = relations.plain(number)
    if named.category.activity and parent.category.thing:
        return ("named_in_parent",) if _METHOD.search(text) else ()
    if named.category.thing and parent.category.activity:
        return ("named_in_parent",) if named.head in text else ()
    if named.category.activity:
        return None
    if {named.category, parent.category} == {ClaimCategory.MEDIUM, ClaimCategory.APPARATUS}:
        return ("medium",)
    known = generic(named.head) or _akin(named, parent)
    if known or any(named.head in relations.plain(each) for each in relations.chain(number)):
        return None
    return ("other_noun",)


def _is_claimed_elsewhere(relations: ClaimRelations, named: Subject, number: int, parent: Subject) -> bool:
    """Whether another claim is to "a lock" and the parent is to something else, though it may have a lock."""
    if not (named.definite and named.category.thing and parent.category.thing):
        return False
    words = tuple(map(lemma, named.words))
    if words not in relations.claimed:
        return False
    called, subjects = set(words), (relations.subject(each) for each in relations.chain(number))
    others = [set(map(lemma, each.words)) for each in subjects if each is not None]
    return not any(called <= other or other <= called for other in others)


def _akin(named: Subject, parent: Subject) -> bool:
    """Whether one noun contains the head of the other, or one is the other's initials: "PGC" for a
    primordial germ cell. A shared modifier is not enough: "the fluid motor", "a fluid pump"."""
    if named.head in map(lemma, parent.words) or parent.head in map(lemma, named.words):
        return True
    if named.head.endswith(parent.head) or parent.head.endswith(named.head):
        return True
    return named.head == "".join(word[:1] for word in parent.words)
