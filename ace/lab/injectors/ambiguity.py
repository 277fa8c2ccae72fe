"""Ambiguity: subjective terms, terms of degree without a measure, exemplary language.

MPEP 2173.05(b) to (d). Every edit adds or replaces words at one place of the claim.
"""

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace.lab.edits import Injection, Lexicon, borrowed_noun, splice, with_text
from ace.lab.phrases import Phrase, article_for, definite, indefinite
from ace.lab.terms import (
    EXEMPLARY_OPENERS,
    EXEMPLARY_TAILS,
    SUBJECTIVE_ADJECTIVES,
    SUBJECTIVE_ADVERBS,
    VAGUE_QUANTITIES,
)

LABEL = "ambiguity"
_PARTICIPLE = re.compile(
    r"\b(?:is|are|being)\s+((?:configured|connected|arranged|coupled|disposed|formed|applied|mounted|"
    r"provided|positioned|attached|performed|added|mixed|heated|determined|generated|measured))\b"
)
_QUANTITY = re.compile(
    r"\b(?:(?:about|approximately|at least|at most|up to|less than|more than|greater than)\s+)?"
    r"\d+(?:\.\d+)?(?:\s*(?:to|and|-)\s*(?:about\s+)?\d+(?:\.\d+)?)?\s*"
    r"(?:%|percent|mm|cm|nm|\u03bcm|\u00b5m|\u00b0\s?C|mg|kg|g|ml|mL|Hz|kHz|MHz|GHz|seconds|"
    r"minutes|hours|days|V|mM|kDa|wt)(?![\w/])"
)


def subjective_adjective(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a housing" becomes "an aesthetically pleasing housing"."""
    places = [p for p in _phrases(claim) if p.start > 0]
    if not places:
        return None
    phrase = rng.choice(places)
    term = rng.choice(SUBJECTIVE_ADJECTIVES)
    article = article_for(term) if phrase.article in ("a", "an") else phrase.article
    text = splice(claim.text, phrase.start, phrase.end, f"{article} {term} {phrase.text}")
    start = phrase.start + len(article) + 1
    return _injection(claims, claim, text, "subjective_adjective", start, start + len(term))


def subjective_adverb(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "is connected" becomes "is conveniently connected"."""
    places = list(_PARTICIPLE.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    term = rng.choice(SUBJECTIVE_ADVERBS)
    first = term.split()[0] in ("in", "as")
    at = place.end() if first else place.start(1)
    piece = f" {term}" if first else f"{term} "
    text = splice(claim.text, at, at, piece)
    start = at + first
    return _injection(claims, claim, text, "subjective_adverb", start, start + len(term))


def vague_quantity(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "of 5 mm" becomes "of a reasonable value"."""
    places = list(_QUANTITY.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    term = rng.choice(VAGUE_QUANTITIES)
    text = splice(claim.text, place.start(), place.end(), term)
    end = place.start() + len(term)
    return _injection(claims, claim, text, "vague_quantity", place.start(), end)


def exemplary(claims: ClaimSet, claim: Claim, rng: Random, lexicon: Lexicon) -> Injection | None:
    """ "a fastener" becomes "a fastener, such as a bolt,"."""
    places = [p for p in _phrases(claim) if p.start > 0]
    noun = borrowed_noun(lexicon, rng, claim.text)
    if not places or noun is None:
        return None
    phrase = rng.choice(places)
    opener = rng.choice(EXEMPLARY_OPENERS)
    closing = "" if claim.text[phrase.end : phrase.end + 1] in ",;.:" else ","
    piece = f", {opener} {article_for(noun)} {noun}{closing}"
    text = splice(claim.text, phrase.end, phrase.end, piece)
    start = phrase.end + 2
    end = phrase.end + len(piece) - len(closing)
    return _injection(claims, claim, text, "exemplary", start, end)


def open_list(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a fastener" becomes "a fastener, or the like"."""
    places = [p for p in _phrases(claim) if p.start > 0]
    if not places:
        return None
    phrase = rng.choice(places)
    tail = rng.choice(EXEMPLARY_TAILS)
    if claim.text[phrase.end : phrase.end + 1] in (",", ";", "."):
        tail = tail.removesuffix(",")
    text = splice(claim.text, phrase.end, phrase.end, tail)
    return _injection(claims, claim, text, "open_list", phrase.end, phrase.end + len(tail))


def preferred_range(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "of 5 mm" becomes "of 5 mm, preferably 4 mm" (a broad and a narrow limitation in one)."""
    places = list(_QUANTITY.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    numbers = re.findall(r"\d+(?:\.\d+)?", place.group())
    unit = place.group()[place.group().rindex(numbers[-1]) + len(numbers[-1]) :]
    word = rng.choice(("preferably", "more preferably", "in particular", "ideally"))
    piece = f", {word} {max(1, round(float(numbers[0]) * 0.8))}{unit}"
    text = splice(claim.text, place.end(), place.end(), piece)
    return _injection(claims, claim, text, "preferred_range", place.end() + 2, place.end() + len(piece))


def _phrases(claim: Claim) -> list[Phrase]:
    opening = re.search(r"\bclaims? \d+", claim.text)
    begin = opening.end() if opening else 1
    return [p for p in (*indefinite(claim.text), *definite(claim.text)) if p.start >= begin]


def _injection(claims: ClaimSet, claim: Claim, text: str, subtype: str, start: int, end: int) -> Injection:
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, start, end)
