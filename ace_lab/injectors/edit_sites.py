"""Where a claim can be edited, and edits of one place, shared by the injectors of all classes."""

import re
from collections.abc import Callable
from random import Random

from ace.claims.language.lexicon import INHERENT
from ace.claims.model import Claim, ClaimSet
from ace_lab.injectors.edits import Injection, splice, with_text
from ace_lab.injectors.phrases import Phrase, definite, indefinite

# What follows a complete noun phrase, unlike one that stops short ("the ferrule" of "the ferrule tip").
PHRASE_END = re.compile(
    r"[,;:.]|\s(?:is|are|has|have|to|in|on|and|or|with|from|for|by|at|that|which|comprises|includes|into|as)\b"
)
OPENING = re.compile(
    r"(An?|The)\s(?P<subject>[a-z][^,;:.]{1,60}?)\s(?:of|according to|as \w+ in)\s(?=claim \d+\b)"
)
"""The beginning of a dependent claim up to its reference."""
_REFERENCE = re.compile(r"\bclaim (\d+)\b(?!\s*(?:,|or|and|to|through|-)\s*\d)")


def single_reference(claim: Claim) -> re.Match[str] | None:
    """The "claim 3" of a claim that depends on claim 3 alone."""
    found = _REFERENCE.search(claim.text)
    return found if found and claim.parents == (int(found[1]),) else None


def body_start(claim: Claim) -> int:
    """Where a claim stops naming itself: after "The method of claim 1", or after its first letter."""
    opening = re.search(r"\bclaims? \d+", claim.text)
    return opening.end() if opening else 1


def taken_up(claims: ClaimSet, claim: Claim) -> list[Phrase]:
    """Definite phrases after the opening whose words were introduced with "a" before."""
    begin = body_start(claim)
    above = [claims.get(number) for number in claims.ancestors(claim.number)]
    introduced = {phrase.words for other in above if other for phrase in indefinite(other.text)}
    own: dict[tuple[str, ...], int] = {}
    for phrase in indefinite(claim.text):
        own.setdefault(phrase.words, phrase.start)
    return [
        phrase
        for phrase in definite(claim.text)
        if phrase.start >= begin
        and (phrase.words in introduced or own.get(phrase.words, phrase.start) < phrase.start)
        and PHRASE_END.match(claim.text, phrase.end)
    ]


def known(claims: ClaimSet, claim: Claim) -> list[str]:
    """The names of elements that the claim or its ancestors introduce and refer to, each once."""
    holders = [claim, *(claims.get(number) for number in claims.ancestors(claim.number))]
    texts = [holder.text for holder in holders if holder is not None]
    spoken = {phrase.words for text in texts for phrase in definite(text)}
    names = (p.text for text in texts for p in indefinite(text) if p.start > 0 and p.words in spoken)
    return list(dict.fromkeys(names))


def needs_introduction(phrase: Phrase) -> bool:
    """Whether "the …" needs an "a …" before it: "the length" of a known thing does not (MPEP 2173.05(e))."""
    return phrase.head.lower() not in INHERENT


def renamed_phrase(
    claims: ClaimSet,
    claim: Claim,
    rng: Random,
    places: list[Phrase],
    label: str,
    subtype: str,
    renamed: Callable[[Phrase], str],
) -> Injection | None:
    """One of the phrases under another name, its article kept; None if there are no phrases."""
    if not places:
        return None
    phrase = rng.choice(places)
    piece = f"{phrase.article} {renamed(phrase)}"
    return spliced(claims, claim, phrase.start, phrase.end, piece, label, subtype)


def spliced(
    claims: ClaimSet, claim: Claim, start: int, end: int, piece: str, label: str, subtype: str
) -> Injection:
    """text[start:end] of the claim replaced; the span is the inserted piece."""
    edited = with_text(claims, claim.number, splice(claim.text, start, end, piece))
    return Injection(edited, claim.number, label, subtype, start, start + len(piece))


def appended(claims: ClaimSet, claim: Claim, clause: str, label: str, subtype: str) -> Injection | None:
    """A clause before the final period, after a comma; None if the claim does not end in one."""
    if not claim.text.endswith("."):
        return None
    body = claim.text[:-1]
    edited = with_text(claims, claim.number, f"{body}, {clause}.")
    start = len(body) + 2
    return Injection(edited, claim.number, label, subtype, start, start + len(clause))
