"""Ambiguity: subjective terms, terms of degree without a measure, exemplary language.

MPEP 2173.05(b) to (d). Every edit adds or replaces words at one place of the claim.
"""

import re
from functools import cache
from random import Random

from ace.claims.checks.ambiguity.terms import TERMS
from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import PHRASE_END, body_start, spliced, taken_up
from ace_lab.injectors.edits import Injection, Lexicon, borrowed_noun, splice, with_text
from ace_lab.injectors.phrases import Phrase, article_for, definite, indefinite
from ace_lab.injectors.terms import (
    ACCEPTED_DEGREES,
    EXEMPLARY_OPENERS,
    EXEMPLARY_TAILS,
    GRANTED_NAMES,
    SUBJECTIVE_ADJECTIVES,
    SUBJECTIVE_ADVERBS,
    SUBSTANCES,
    VAGUE_QUANTITIES,
)

LABEL = "ambiguity"
_MILD_SHARE = 0.15
_QUALITIES = ("rigid", "porous", "flexible", "opaque", "elastic", "conductive")
_MEASURES = ("strength", "width", "weight", "hardness", "depth", "stiffness")
_GROUP = re.compile(r"(selected from (?:the|a) group) consisting of")
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


def and_or(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever and a spring" becomes "a lever and/or a spring"."""
    places = [found.span(1) for found in re.finditer(r"[a-z] (and|or) (?:an? |the )[a-z]", claim.text)]
    return spliced(claims, claim, *rng.choice(places), "and/or", LABEL, "and_or") if places else None


def group_opened(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "selected from the group consisting of" becomes "… comprising"."""
    places = list(_GROUP.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    piece = f"{place[1]} {rng.choice(('comprising', 'including', 'containing'))}"
    return spliced(claims, claim, *place.span(), piece, LABEL, "group_opened")


def trademark(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a Bakelite lever"."""
    places = [phrase for phrase in indefinite(claim.text) if phrase.start > 0]
    if not places:
        return None
    phrase, mark = rng.choice(places), rng.choice(_trademarks()) + rng.choice(("", "", "®", "™"))
    piece = f"{article_for(mark)} {mark} {phrase.text}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, "trademark")


def opinion(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A term of opinion, seldom a mild one: "a beautiful lever", "the lever is suitable"."""
    mild = rng.random() < _MILD_SHARE
    word = rng.choice(
        [term for term in _terms("subjective", mild=mild) if " " not in term and term[-2:] != "ly"]
    )
    if rng.random() < 0.5:
        return _before_noun(claims, claim, rng, word, "opinion")
    ways = (
        f"is {word}",
        f"works in {article_for(word)} {word} manner",
        f"moves in {article_for(word)} {word} way",
    )
    return _clause(claims, claim, rng, rng.choice(ways), "opinion")


def degree(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A term of degree: "a highly rigid lever", "the lever is of moderate strength", "is much stiffer"."""
    if rng.random() < 0.3:
        raised = rng.choice(
            [term for term in _terms("degree") if term[-2:] == "ly" and term not in ACCEPTED_DEGREES]
        )
        return _before_noun(claims, claim, rng, f"{raised} {rng.choice(_QUALITIES)}", "degree")
    if rng.random() < 0.3:
        return _clause(
            claims, claim, rng, f"is much {rng.choice(('stiffer', 'lighter', 'tougher'))}", "degree"
        )
    vague = rng.choice(
        ("considerable", "substantial", "significant", "moderate", "minimal", "immense", "high")
    )
    return _clause(claims, claim, rng, f"has {article_for(vague)} {vague} {rng.choice(_MEASURES)}", "degree")


def preference(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a lever, typically of steel,"."""
    places = [phrase for phrase in indefinite(claim.text) if PHRASE_END.match(claim.text, phrase.end)]
    if not places:
        return None
    word = rng.choice(
        [term for term in _terms("preference") if not term.startswith(("is", "are", "it", "preferred"))]
    )
    end = rng.choice(places).end
    piece = f", {word} of {rng.choice(SUBSTANCES)[0]}{',' if claim.text[end] not in ',;:.' else ''}"
    return spliced(claims, claim, end, end, piece, LABEL, "preference")


def stretched(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever" becomes "a lever-like element"."""
    places = [
        phrase
        for phrase in indefinite(claim.text)
        if phrase.head.isalpha() and PHRASE_END.match(claim.text, phrase.end)
    ]
    if not places:
        return None
    end = rng.choice(places).end
    piece = f"-{rng.choice(('like', 'type'))} {rng.choice(('device', 'element', 'unit'))}"
    found = spliced(claims, claim, end, end, piece, LABEL, "stretched")
    return Injection(found.claims, claim.number, LABEL, "stretched", end - 1, end + len(piece))


def _phrases(claim: Claim) -> list[Phrase]:
    return [p for p in (*indefinite(claim.text), *definite(claim.text)) if p.start >= body_start(claim)]


def _injection(claims: ClaimSet, claim: Claim, text: str, subtype: str, start: int, end: int) -> Injection:
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, start, end)


@cache
def _terms(subtype: str, *, mild: bool | None = None) -> list[str]:
    found = ((word, term) for word, term in TERMS.items() if term.subtype == subtype)
    return sorted(word for word, term in found if mild in (None, term.mild))


@cache
def _trademarks() -> list[str]:
    """Names of goods. Names of software and of standards stand in claims that were granted."""
    return [word.capitalize() for word in _terms("trademark") if word.isalpha() and word not in GRANTED_NAMES]


def _before_noun(claims: ClaimSet, claim: Claim, rng: Random, word: str, subtype: str) -> Injection | None:
    places = [phrase for phrase in indefinite(claim.text) if phrase.start > 0]
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{article_for(word)} {word} {phrase.text}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, LABEL, subtype)


def _clause(claims: ClaimSet, claim: Claim, rng: Random, says: str, subtype: str) -> Injection | None:
    places = taken_up(claims, claim)
    if not places or not claim.text.endswith("."):
        return None
    end = len(claim.text) - 1
    piece = f", wherein the {rng.choice(places).text} {says}"
    return spliced(claims, claim, end, end, piece, LABEL, subtype)
