"""Antecedent basis: a definite phrase that nothing in the claim or its ancestors introduces.

MPEP 2173.05(e). Inherent parts ("the length of the rod") need no introduction, so phrases followed
by "of" are left alone.
"""

import re
from random import Random

from ace.claims.language.words import is_plural, lemma
from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import (
    PHRASE_END,
    body_start,
    needs_introduction,
    renamed_phrase,
    single_reference,
    taken_up,
)
from ace_lab.injectors.edits import Injection, Lexicon, borrowed_noun, chain_text, splice, with_text
from ace_lab.injectors.phrases import Phrase, article_for, definite, indefinite, occurrences, occurs
from ace_lab.injectors.terms import HARMLESS_ADJECTIVES

LABEL = "antecedent"
_SHARED_OUT = re.compile(r"\b(?:each|every|respective|one of|per|any)\b")
_BEFORE_PREDICATE = re.compile(r"(?:\bas|\bis|\bare|\bbe|\bbeing|\bsuch|\bby|\bor)\s$")


def article_swapped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The first mention "a lever" becomes "the lever"."""
    before = chain_text(claims, claim.number)
    places = [
        phrase
        for phrase in indefinite(claim.text)
        if phrase.start > 0
        and needs_introduction(phrase)
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
    for phrase in filter(needs_introduction, candidates):
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
    for phrase in filter(needs_introduction, definite(text)):
        own = text[: phrase.start]
        if not occurs(phrase.head, own + " " + basis) and occurs(
            phrase.head, chain_text(claims, claim.number)
        ):
            return Injection(edited, claim.number, LABEL, "reparented", phrase.start, phrase.end)
    return None


def number_shifted(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the levers", of which there was only ever one."""
    said = f"{chain_text(claims, claim.number)} {claim.text}"
    places = [
        phrase
        for phrase in taken_up(claims, claim)
        if not phrase.head.endswith(("s", "y", "x", "h"))
        and not re.search(rf"\b{re.escape(phrase.head)}e?s\b", said)
        and not re.search(
            rf"\b(?:each|every|more|least one|plurality)\b[^,;]*\b{re.escape(phrase.head)}", said
        )
    ]
    return renamed_phrase(claims, claim, rng, places, LABEL, "number_shifted", lambda p: f"{p.text}s")


def one_of_several(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the levers" becomes "the lever", although "a plurality of levers" was introduced."""
    said = f"{chain_text(claims, claim.number)} {claim.text}"
    places = [
        phrase
        for phrase in definite(claim.text)
        if is_plural(phrase.head)
        and re.search(rf"\b(?:plurality of|two|three|four) {re.escape(phrase.text)}\b", said)
        and not _SHARED_OUT.search(claim.text)
        and PHRASE_END.match(claim.text, phrase.end)
    ]
    return renamed_phrase(
        claims,
        claim,
        rng,
        places,
        LABEL,
        "one_of_several",
        lambda p: p.text[: len(p.text) - len(p.head)] + lemma(p.head),
    )


def letter_dropped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the levr"."""
    places = [phrase for phrase in taken_up(claims, claim) if len(phrase.head) >= 6]
    at = rng.randint(2, 4)
    return renamed_phrase(
        claims,
        claim,
        rng,
        places,
        LABEL,
        "letter_dropped",
        lambda p: p.text[: len(p.text) - at] + p.text[len(p.text) - at + 1 :],
    )


def ordinal_dropped(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the first lever" becomes "the lever", where there is a second one."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    places = [
        phrase
        for phrase in taken_up(claims, claim)
        if phrase.words[0] in ("first", "second")
        and len(phrase.words) > 1
        and all(f"{ordinal} {' '.join(phrase.words[1:])}" in said for ordinal in ("first", "second"))
    ]
    return renamed_phrase(
        claims, claim, rng, places, LABEL, "ordinal_dropped", lambda p: " ".join(p.words[1:])
    )


def choice_of_parents(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """ "of claim 2" becomes "of claim 1 or 2", where claim 1 does not introduce "the lever"."""
    reference = single_reference(claim)
    parent = claims.get(claim.parents[0]) if claim.parents else None
    if reference is None or parent is None or len(parent.parents) != 1:
        return None
    above = parent.parents[0]
    piece = f"claim {above} or {parent.number}"
    text = splice(claim.text, reference.start(), reference.end(), piece)
    edited = with_text(claims, claim.number, text)
    holder = claims.get(above)
    without = f"{holder.text if holder else ''} {chain_text(claims, above)}"
    for phrase in filter(needs_introduction, definite(text)):
        own = text[: phrase.start]
        lost = phrase.start > reference.end() and not occurs(phrase.head, f"{own} {without}")
        if lost and occurs(phrase.head, parent.text):
            return Injection(edited, claim.number, LABEL, "choice_of_parents", phrase.start, phrase.end)
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
    begin = body_start(claim)
    return [
        phrase
        for phrase in definite(claim.text)
        if phrase.start >= begin and not claim.text.startswith(" of", phrase.end)
    ]


def _injection(claims: ClaimSet, claim: Claim, text: str, subtype: str, start: int, end: int) -> Injection:
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, start, end)
