"""Antecedent basis: a definite phrase that nothing in the claim or its ancestors introduces.

MPEP 2173.05(e). Inherent parts ("the length of the rod") need no introduction, so phrases followed
by "of" are left alone.
"""

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.lab.edits import Injection, Lexicon, borrowed_noun, chain_text, splice, with_text
from ace.lab.phrases import Phrase, article_for, definite, indefinite, occurrences, occurs
from ace.lab.terms import HARMLESS_ADJECTIVES

LABEL = "antecedent"
_BEFORE_PREDICATE = re.compile(r"(?:\bas|\bis|\bare|\bbe|\bbeing|\bsuch|\bby|\bor)\s$")


def article_swapped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The first mention "a lever" becomes "the lever"."""
    before = chain_text(claims, claim.number)
    places = [
        phrase
        for phrase in indefinite(claim.text)
        if phrase.start > 0
        and not _BEFORE_PREDICATE.search(claim.text[: phrase.start])
        and not claim.text.startswith(" of", phrase.end)
        and not occurs(phrase.head, before + " " + claim.text[: phrase.start])
    ]
    if not places:
        return None
    phrase = rng.choice(places)
    edited = f"{rng.choice(('the', 'the', 'said'))} {phrase.text}"
    text = splice(claim.text, phrase.start, phrase.end, edited)
    end = phrase.start + len(edited)
    return _injection(claims, claim, text, "article_swapped", phrase.start, end)


def noun_replaced(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """One "the lever" becomes "the <noun of another technology>"."""
    places = _usable(claim)
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    if not places or noun is None:
        return None
    phrase = rng.choice(places)
    edited = f"{phrase.article} {noun}"
    text = splice(claim.text, phrase.start, phrase.end, edited)
    end = phrase.start + len(edited)
    return _injection(claims, claim, text, "noun_replaced", phrase.start, end)


def modifier_added(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the auxiliary lever", which was never introduced."""
    places = _usable(claim)
    around = claim.text + " " + chain_text(claims, claim.number)
    adjectives = [word for word in HARMLESS_ADJECTIVES if not occurs(word, around)]
    if not places or not adjectives:
        return None
    phrase = rng.choice(places)
    edited = f"{phrase.article} {rng.choice(adjectives)} {phrase.text}"
    text = splice(claim.text, phrase.start, phrase.end, edited)
    end = phrase.start + len(edited)
    return _injection(claims, claim, text, "modifier_added", phrase.start, end)


def introduction_renamed(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """ "a lever" is introduced as "a valve", while the claim goes on to speak of "the lever"."""
    candidates = definite(claim.text)
    rng.shuffle(candidates)
    for phrase in candidates:
        found = _only_introduction(claims, claim, phrase)
        if found is None:
            continue
        where, start, end = found
        noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
        if noun is None:
            return None
        renamed = f"{article_for(noun)} {noun}"
        text = splice(where.text, start, end, renamed)
        edited = with_text(claims, where.number, text)
        shift = len(renamed) - (end - start) if where.number == claim.number else 0
        return Injection(
            edited,
            claim.number,
            LABEL,
            "introduction_renamed",
            phrase.start + shift,
            phrase.end + shift,
        )
    return None


def reparented(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The claim refers past the parent that introduces its element, to an ancestor that does not."""
    if len(claim.parents) != 1:
        return None
    parent, *further = claims.ancestors(claim.number) or (0,)
    reference = re.search(rf"\bclaim {parent}\b", claim.text)
    if not further or reference is None or str(parent) != reference.group()[6:]:
        return None
    target = rng.choice(further)
    text = splice(claim.text, reference.start() + 6, reference.end(), str(target))
    edited = with_text(claims, claim.number, text)
    basis = chain_text(edited, claim.number)
    for phrase in definite(text):
        own = text[: phrase.start]
        if not occurs(phrase.head, own + " " + basis) and occurs(
            phrase.head, chain_text(claims, claim.number)
        ):
            return Injection(edited, claim.number, LABEL, "reparented", phrase.start, phrase.end)
    return None


def _only_introduction(claims: ClaimSet, claim: Claim, phrase: Phrase) -> tuple[Claim, int, int] | None:
    """The one place that gives this phrase its basis: the claim, and the offsets of "a lever"."""
    own = Claim(claim.number, claim.text[: phrase.start])
    around = [own, *(claims.get(number) for number in claims.ancestors(claim.number))]
    found: list[tuple[Claim, int, int]] = []
    for holder in around:
        if holder is None:
            continue
        introduced = [item for item in indefinite(holder.text) if item.head == phrase.head]
        spoken = [item for item in definite(holder.text) if item.head == phrase.head]
        if len(occurrences(phrase.head, holder.text)) != len(introduced) + len(spoken):
            return None
        found.extend((holder, item.start, item.end) for item in introduced)
    if len(found) != 1 or found[0][1] == 0:
        return None
    holder, start, end = found[0]
    return (claim if holder is own else holder), start, end


def _usable(claim: Claim) -> list[Phrase]:
    """Definite phrases past the opening, where the claim names itself ("The method of claim 1")."""
    opening = re.search(r"\bclaims? \d+", claim.text)
    begin = opening.end() if opening else 1
    return [
        phrase
        for phrase in definite(claim.text)
        if phrase.start >= begin and not claim.text.startswith(" of", phrase.end)
    ]


def _injection(claims: ClaimSet, claim: Claim, text: str, subtype: str, start: int, end: int) -> Injection:
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, start, end)
