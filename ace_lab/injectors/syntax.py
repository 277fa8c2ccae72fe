"""Syntax: no transition, no final period, two sentences, broken punctuation and brackets.

MPEP 608.01(m): a claim is one sentence that ends with a period.
"""

import re
from random import Random

from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edit_sites import spliced
from ace_lab.injectors.edits import Injection, Lexicon, splice, with_text
from ace_lab.injectors.phrases import definite, indefinite

LABEL = "syntax"
_TRANSITION = re.compile(
    r",?\s*\b(?:comprising|consisting(?: essentially)? of|including|having|wherein|"
    r"further comprising|which comprises|that comprises|characterized in that)\b:?\s*"
)
_JOINT = re.compile(r"(?:; and |; |, wherein |, and wherein |, said |, the )")
_INNER_POINT = re.compile(r"(?<=[a-z])[,;:](?=\s)")
_BRACKET = re.compile(r"[()\[\]]")
_LIMB = re.compile(r"; (?=(?:and )?(?:an? )?[a-z])")
_NEXT_STEP = re.compile(r"; (?=[a-z]+ing\s)")
_SMALL_WORD = re.compile(r"(?<=\s)(?:the|of|a|to|and|in|with|is|wherein|for)(?=\s)")


def no_final_period(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The final period is missing, or another mark stands in its place."""
    if not claim.text.endswith("."):
        return None
    ending = rng.choice(("", "", "", ",", ";", ":", "; and", ".."))
    text = claim.text[:-1] + ending
    start = max(0, len(text) - max(1, len(ending)))
    return _injection(claims, claim, text, "no_final_period", start, len(text))


def no_transition(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The first transition is struck: "A pump comprising a rotor" becomes "A pump a rotor"."""
    found = _TRANSITION.search(claim.text)
    if found is None or found.start() == 0 or found.end() >= len(claim.text) - 1:
        return None
    text = splice(claim.text, found.start(), found.end(), " ")
    return _injection(claims, claim, text, "no_transition", max(0, found.start() - 1), found.start() + 2)


def two_sentences(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """A joint of the sentence becomes a full stop and a capital."""
    places = list(_JOINT.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    word = place.group().strip(" ,;")
    rest = claim.text[place.end() :]
    begun = f". {word.capitalize()} {rest}" if word and word != "and" else f". {_capital(rest)}"
    text = claim.text[: place.start()] + begun
    return _injection(claims, claim, text, "two_sentences", place.start(), place.start() + 3)


def doubled_point(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One comma, semicolon or colon is doubled or met by another."""
    places = list(_INNER_POINT.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    piece = place.group() + rng.choice((place.group(), ";", ",", "."))
    text = splice(claim.text, place.start(), place.end(), piece)
    return _injection(claims, claim, text, "doubled_point", place.start(), place.start() + 2)


def unbalanced_bracket(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """One bracket is struck, or one stands alone."""
    places = list(_BRACKET.finditer(claim.text))
    if places and rng.random() < 0.7:
        at = rng.choice(places).start()
        text = splice(claim.text, at, at + 1, "")
        return _injection(claims, claim, text, "unbalanced_bracket", max(0, at - 1), at + 1)
    words = [match.start() for match in re.finditer(r"(?<=\s)[a-z]{4,}", claim.text)]
    if not words:
        return None
    at = rng.choice(words)
    text = splice(claim.text, at, at, "(")
    return _injection(claims, claim, text, "unbalanced_bracket", at, at + 1)


def doubled_word(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "of the rotor" becomes "of the the rotor"."""
    places = list(_SMALL_WORD.finditer(claim.text))
    if not places:
        return None
    place = rng.choice(places)
    text = splice(claim.text, place.end(), place.end(), f" {place.group()}")
    end = place.end() + 1 + len(place.group())
    return _injection(claims, claim, text, "doubled_word", place.start(), end)


def broken_off(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """The last clause breaks off after its first small word, then the period."""
    places = [m for m in _SMALL_WORD.finditer(claim.text) if m.start() > len(claim.text) // 2]
    if not places:
        return None
    place = rng.choice(places)
    text = f"{claim.text[: place.end()]}."
    return _injection(claims, claim, text, "broken_off", place.start(), len(text))


def limb_joined(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever; a spring" becomes "a lever a spring"."""
    places = list(_LIMB.finditer(claim.text))
    if len(places) < 2:
        return None
    at = rng.choice(places).start()
    found = spliced(claims, claim, at, at + 1, "", LABEL, "limb_joined")
    return Injection(found.claims, claim.number, LABEL, "limb_joined", max(0, at - 1), at + 2)


def step_joined(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "casting a lever; drilling a hole" becomes "casting a lever drilling a hole"."""
    places = list(_NEXT_STEP.finditer(claim.text))
    if len(places) < 2:
        return None
    at = rng.choice(places).start()
    found = spliced(claims, claim, at, at + 1, "", LABEL, "step_joined")
    return Injection(found.claims, claim.number, LABEL, "step_joined", max(0, at - 1), at + 2)


def small_letter(claims: ClaimSet, claim: Claim, _: Random, __: Lexicon) -> Injection | None:
    """The claim begins with a small letter."""
    if not claim.text[:1].isupper() or claim.text[1:2].isupper():
        return None
    first = claim.text.split(" ", 1)[0]
    return spliced(claims, claim, 0, len(first), first.lower(), LABEL, "small_letter")


def numerals_differ(claims: ClaimSet, claim: Claim, rng: Random, _: Lexicon) -> Injection | None:
    """ "a lever 12" is taken up as "the lever 21"."""
    for phrase in indefinite(claim.text):
        later = [one for one in definite(claim.text) if one.words == phrase.words and one.start > phrase.end]
        if later:
            one, number = rng.choice(later), rng.randint(10, 40)
            text = splice(claim.text, one.end, one.end, f" ({number + 50})")
            text = splice(text, phrase.end, phrase.end, f" ({number})")
            edited = with_text(claims, claim.number, text)
            return Injection(edited, claim.number, LABEL, "numerals_differ", one.start + 5, one.end + 10)
    return None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _injection(claims: ClaimSet, claim: Claim, text: str, subtype: str, start: int, end: int) -> Injection:
    edited = with_text(claims, claim.number, text)
    return Injection(edited, claim.number, LABEL, subtype, start, min(end, len(text)))
