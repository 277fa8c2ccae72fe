"""Injectors used only to fit confidences: definite phrases that come close to what was introduced.

Their words are known, or their determiner is not "the": names put together anew or cut short, one of
several that nobody counted, "such", "the other" and "the respective". An examiner may still find basis for
one of them (MPEP 2173.05(e)), so no data set is built with these.
"""

import re
from random import Random

from ace.claims.language.lexicon import ORDINALS, TWOFOLD
from ace.claims.language.noun_phrases import PARTICIPIAL, word_class_of
from ace.claims.language.words import is_plural, lemma
from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import (
    PHRASE_END,
    body_start,
    needs_introduction,
    renamed_phrase,
    spliced,
    taken_up,
)
from ace_lab.injectors.edits import Injection, Injector, Lexicon, borrowed_noun, chain_text
from ace_lab.injectors.phrases import Phrase, article_for, definite, indefinite

LABEL = "antecedent"
_POINTING = ("such", "the respective", "the corresponding", "the other", "the particular")
_SHARED = re.compile(r"\b(?:each|every|any|per|respective|another|other|plurality|more|least)\b")
_PREDICATE = re.compile(r"(?:\bas|\bis|\bare|\bbe|\bbeing|\bsuch|\bby|\bor|\bhalf)\s$")


def pointed_at(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """One "the lever" becomes "such <noun of another technology>"."""
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    places = taken_up(claims, claim)
    if noun is None or not places:
        return None
    phrase = rng.choice(places)
    piece = f"{rng.choice(_POINTING)} {noun}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "pointed_at")


def other_of_one(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the other lever", although there is only one."""
    places = [phrase for phrase in _only_ones(claims, claim) if len(phrase.words) > 1]
    return renamed_phrase(claims, claim, rng, places, LABEL, "other_of_one", lambda p: f"other {p.text}")


def counted_one(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the second lever", although none was counted."""
    ordinal = rng.choice(("first", "second", "third"))
    places = _only_ones(claims, claim)
    return renamed_phrase(claims, claim, rng, places, LABEL, "counted_one", lambda p: f"{ordinal} {p.text}")


def first_of_many(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the levers" becomes "the first lever", although nobody counted "a plurality of levers"."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    ordinal = rng.choice(("first", "second"))
    places = [
        phrase
        for phrase in definite(claim.text)
        if is_plural(phrase.head)
        and f"plurality of {phrase.text.lower()}" in said
        and not re.search(rf"\b(?:first|second)\b[^,;]* {re.escape(lemma(phrase.head.lower()))}", said)
        and PHRASE_END.match(claim.text, phrase.end)
    ]
    return renamed_phrase(
        claims,
        claim,
        rng,
        places,
        LABEL,
        "first_of_many",
        lambda p: f"{ordinal} {p.text[: len(p.text) - len(p.head)]}{lemma(p.head)}",
    )


def several_of_one(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "each of the levers", although there is only one."""
    places = [
        phrase for phrase in _only_ones(claims, claim) if not phrase.head.endswith(("s", "y", "x", "h"))
    ]
    if not places:
        return None
    phrase = rng.choice(places)
    opening = rng.choice(("each of the", "one of the", "the two", "the plurality of"))
    piece = f"{opening} {phrase.text}s"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "several_of_one")


def article_swapped_anywhere(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The first mention "a guide lever" becomes "the guide lever", whatever levers were introduced before."""
    before = chain_text(claims, claim.number).lower()
    places = [
        phrase
        for phrase in indefinite(claim.text)
        if phrase.start > 0
        and needs_introduction(phrase)
        and not _PREDICATE.search(claim.text[: phrase.start])
        and phrase.text.lower() not in f"{before} {claim.text[: phrase.start].lower()}"
    ]
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{rng.choice(('the', 'the', 'said'))} {phrase.text}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "article_swapped_anywhere")


def qualifier_borrowed(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the guide lever" becomes "the drive lever", where "drive" belongs to another element."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    words = [each.words for each in indefinite(said) if len(each.words) > 1]
    places: list[tuple[Phrase, str]] = []
    for phrase in taken_up(claims, claim):
        head = phrase.head.lower()
        borrowed = sorted(
            {other[0] for other in words if other[-1] != head and other[0] not in ORDINALS}
            - set(phrase.text.lower().split(" "))
        )
        places.extend(
            (phrase, word)
            for word in borrowed
            if not re.search(rf"\b{re.escape(word)}\b[^,;.]{{0,30}}\b{re.escape(head)}", said)
        )
    if not places:
        return None
    phrase, word = rng.choice(places)
    kept = phrase.words[1:] if len(phrase.words) > 1 else phrase.words
    piece = " ".join((phrase.article, word, *kept))
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "qualifier_borrowed")


def name_shortened(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "the shaft cover" becomes "the shaft", where no shaft was introduced."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    places = [
        phrase
        for phrase in taken_up(claims, claim)
        if len(phrase.words) > 1
        and _is_noun(phrase.words[-2].lower())
        and not re.search(
            rf"\b{re.escape(' '.join(phrase.words[:-1]).lower())}s?\b(?! {re.escape(phrase.head.lower())})",
            said,
        )
    ]
    return renamed_phrase(
        claims, claim, rng, places, LABEL, "name_shortened", lambda p: " ".join(p.words[:-1])
    )


def head_exchanged(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """One "the drive shaft" becomes "the drive <noun of another technology>"."""
    noun = borrowed_noun(lexicon, rng, claim.text, chain_text(claims, claim.number))
    places = [phrase for phrase in taken_up(claims, claim) if len(phrase.words) > 1]
    if noun is None:
        return None
    head = noun.split(" ")[-1]
    return renamed_phrase(
        claims, claim, rng, places, LABEL, "head_exchanged", lambda p: " ".join((*p.words[:-1], head))
    )


def introduced_again_here(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "a lever" in the claim that introduced the lever."""
    introduced = {phrase.words: phrase.start for phrase in reversed(indefinite(claim.text))}
    places = [
        phrase
        for phrase in _only_ones(claims, claim)
        if introduced.get(phrase.words, phrase.start) < phrase.start
    ]
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{article_for(phrase.text)} {phrase.text}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "introduced_again_here")


def _only_ones(claims: ClaimSet, claim: Claim) -> list[Phrase]:
    """Definite phrases of things of which the claim and its ancestors have only ever one."""
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    return [
        phrase
        for phrase in taken_up(claims, claim)
        if phrase.start >= body_start(claim)
        and ORDINALS.isdisjoint(phrase.words)
        and not is_plural(phrase.head.lower())
        and not re.search(rf"\b{re.escape(phrase.head.lower())}e?s\b", said)
        and not any(
            _SHARED.search(said, max(0, place.start() - 60), place.start())
            for place in re.finditer(rf"\b{re.escape(phrase.head.lower())}\b", said)
        )
    ]


def _is_noun(word: str) -> bool:
    adjective = word.endswith(("al", "ive", "ic", "ous", "ble", "ary", "ar", "er"))
    return not adjective and word not in TWOFOLD and word_class_of(word) not in PARTICIPIAL


NEAR_NAMES: tuple[Injector, ...] = (
    pointed_at,
    other_of_one,
    counted_one,
    first_of_many,
    several_of_one,
    article_swapped_anywhere,
    qualifier_borrowed,
    name_shortened,
    head_exchanged,
    introduced_again_here,
)
"""All of the class antecedent. Each is tried as often as any injector of `INJECTORS`."""
