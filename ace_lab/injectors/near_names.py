"""Injectors used only to fit confidences: definite phrases that come close to what was introduced.

Their words are known, or their determiner is not "the": names put together anew or cut short, one of
several that nobody counted, "such", "the other" and "the respective". An examiner may still find basis for
one of them (MPEP 2173.05(e)), so no data set is built with these.
"""

import re
from collections.abc import Callable
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
from ace_lab.injectors.edits import (
    Injection,
    Injector,
    Lexicon,
    borrowed_noun,
    chain_text,
    splice,
    with_text,
)
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


def introduced_otherwise(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "A guide lever" is introduced as "a drive lever", while the claim speaks of "the guide lever"."""

    def renamed(phrase: Phrase, around: str) -> str | None:
        words = {each.words[0] for each in indefinite(around) if len(each.words) > 1} | set(_SPARE)
        fit = sorted(word for word in words if word.islower() and word not in phrase.words)
        return " ".join((rng.choice(fit), *phrase.words[1:]))

    return _introduced_as(claims, claim, rng, "introduced_otherwise", renamed)


def head_introduced_otherwise(
    claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon
) -> Injection | None:
    """ "A guide lever" is introduced as "a guide <noun>", where the claim goes on to speak of "the guide
    lever"."""

    def renamed(phrase: Phrase, around: str) -> str | None:
        noun = borrowed_noun(lexicon, rng, around)
        return None if noun is None else " ".join((*phrase.words[:-1], noun.split(" ")[-1]))

    return _introduced_as(claims, claim, rng, "head_introduced_otherwise", renamed)


def pasted_from_elsewhere(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One "the lever" becomes "the <name that only a claim not in its chain introduces>"."""
    chain = {claim.number, *claims.ancestors(claim.number)}
    said = f"{chain_text(claims, claim.number)} {claim.text}".lower()
    names = sorted(
        {
            phrase.text
            for other in claims
            if other.number not in chain
            for phrase in indefinite(other.text)
            if phrase.start > 0 and needs_introduction(phrase) and phrase.text.lower() not in said
        }
    )
    if not names:
        return None
    name = rng.choice(names)
    return renamed_phrase(
        claims, claim, rng, taken_up(claims, claim), LABEL, "pasted_from_elsewhere", lambda _: name
    )


def member_struck(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "A guide, a lever and a pin" loses its lever, of which the claim goes on to speak."""
    places = [
        (phrase, holder, at)
        for phrase in taken_up(claims, claim)
        if needs_introduction(phrase)
        for holder, at in _introductions(claims, claim, phrase)
        if holder.number != claim.number
    ]
    rng.shuffle(places)
    for phrase, holder, at in places:
        cut = re.compile(rf"(?:,? and|,) {re.escape(holder.text[at.start : at.end])}(?=[,;.]| and\b)")
        found = [each for each in cut.finditer(holder.text) if each.end() == at.end]
        if len(_introductions(claims, claim, phrase)) == 1 and found:
            text = splice(holder.text, found[0].start(), found[0].end(), "")
            edited = with_text(claims, holder.number, text)
            return Injection(edited, claim.number, LABEL, "member_struck", phrase.start, phrase.end)
    return None


def _introduced_as(
    claims: ClaimSet,
    claim: Claim,
    rng: Random,
    subtype: str,
    renamed: Callable[[Phrase, str], str | None],
) -> Injection | None:
    """The only introduction of a name that the claim takes up, under another name; the span is the first
    "the …" that lost its basis."""
    around = f"{chain_text(claims, claim.number)} {claim.text}"
    places = [phrase for phrase in taken_up(claims, claim) if len(phrase.words) > 1]
    rng.shuffle(places)
    for phrase in filter(needs_introduction, places):
        found = _introductions(claims, claim, phrase)
        name = renamed(phrase, around) if len(found) == 1 and found[0][1].start > 0 else None
        if name is None or name.lower() in around.lower():
            continue
        holder, at = found[0]
        piece = f"{article_for(name)} {name}"
        edited = with_text(claims, holder.number, splice(holder.text, at.start, at.end, piece))
        shift = len(piece) - (at.end - at.start) if holder is claim else 0
        return Injection(edited, claim.number, LABEL, subtype, phrase.start + shift, phrase.end + shift)
    return None


def _introductions(claims: ClaimSet, claim: Claim, phrase: Phrase) -> list[tuple[Claim, Phrase]]:
    """Where the claim, before the phrase, and its ancestors have "a <phrase>"."""
    above = (claims.get(number) for number in claims.ancestors(claim.number))
    return [
        (holder, each)
        for holder in (claim, *(other for other in above if other is not None))
        for each in indefinite(holder.text)
        if each.words == phrase.words and (holder is not claim or each.start < phrase.start)
    ]


_SPARE = (
    "main",
    "base",
    "carrier",
    "support",
    "control",
    "auxiliary",
    "target",
    "outer",
    "primary",
    "initial",
)


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
    introduced_otherwise,
    head_introduced_otherwise,
    pasted_from_elsewhere,
    member_struck,
)
"""All of the class antecedent. Each is tried as often as any injector of `INJECTORS`."""
