"""One scan of a set for all terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ace.claims.checks.ambiguity.terms import SHAPES, TERMS
from ace.claims.language.alternatives import alternatives
from ace.claims.language.words import word_set
from ace.claims.reading import Reading


def lowered(text: str) -> str:
    """The text in lower case, every character at its own offset ("İ" would become two)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(_one(character) for character in text)


def _one(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else character


TRIGGER: Final = re.compile(r"(?<![\w-])" + alternatives(TERMS, {" ": r"\s"}) + r"(?![\w-])")
"""A pattern for any term as whole words, the longest first; a space is any white space."""
_COMMON: Final = frozenset(
    {"and", "comprises", "comprising", "containing", "first", "having", "includes", "including", "more", "or"}
)


def _rarest(term: str) -> str:
    """The word or mark of a term that is likely the rarest in claims."""
    words: list[str] = re.findall(r"[^\W_]+|/", term)
    return max(words, key=lambda word: (word not in _COMMON, len(word)))


_RAREST: Final = frozenset(map(_rarest, TERMS))
"""A claim without any of these has no term."""


Scan = dict[int, tuple[str, tuple[re.Match[str], ...]]]
"""By claim number, the text in lower case and the terms in it."""


def scan_of(reading: Reading) -> Scan:
    """The scan of a reading's claims; `reading.kept(scan_of)` makes it only once."""
    return {claim.number: _scanned(claim.text) for claim in reading.claims}


def _scanned(text: str) -> tuple[str, tuple[re.Match[str], ...]]:
    lower = lowered(text)
    return lower, () if _RAREST.isdisjoint(word_set(text)) else tuple(TRIGGER.finditer(lower))


_SIGN: Final = re.compile(r"(?:(?P<name>[^\W_][\w-]{0,40})\s?)?(?:[®™℠]|\((?:TM|tm|SM)\))")
_SIGNS: Final = ("®", "™", "℠", "(TM)", "(SM)", "(tm)")


def signed_names(text: str) -> Iterator[tuple[int, int]]:
    """Spans of names with a trademark sign ("Hymu™"), the sign included."""
    for match in _SIGN.finditer(text) if any(sign in text for sign in _SIGNS) else ():
        yield match.span()


_STRETCHED: Final = re.compile(
    r"(?<![\w-])(?P<noun>[A-Za-z]{2,30})-(?:like|type|style)\s(?:device|apparatus|system|element|means|structure"
    r"|material|article|arrangement|mechanism|thing|unit|object|substance|member|component|assembly|body|part|piece|tool"
    r"|product|composition|compound|catalyst|instrument|fixture|container|coating)s?\b"
)
_STRETCHING: Final = ("-like ", "-type ", "-style ")


def stretched(text: str) -> Iterator[tuple[int, int]]:
    """Spans that name a thing by what it is like ("a filter-like device"), except shapes."""
    for match in _STRETCHED.finditer(text) if any(hint in text for hint in _STRETCHING) else ():
        noun = match["noun"]
        if len(noun) > 2 and noun.islower() and noun not in SHAPES:
            yield match.span()
