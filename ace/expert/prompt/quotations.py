"""What a rationale in prose quotes: the parts of the claim in its Step 1, what is defective in its Step 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ace.claims.taxonomy import ErrorClass

MAX_QUOTATIONS: Final = 64

_STEP_2: Final = re.compile(r"Step\s*2\b|\[Statutory Compliance\]", re.IGNORECASE)
_STEP_3: Final = re.compile(r"Step\s*3\b", re.IGNORECASE)
_KINDS: Final = "|".join(ErrorClass)
_SECTION: Final = re.compile(rf"\b({_KINDS})\b(?:\s*\([^()]{{0,40}}\))?\s*:", re.IGNORECASE)
_NAMED: Final = re.compile(rf"\[({_KINDS})\]", re.IGNORECASE)
QUOTED: Final = re.compile(
    r"(?:(?<!\w)'(?P<a>[^\n]{1,400}?)'(?!\w)|\"(?P<b>[^\"\n]{1,400})\""
    r"|“(?P<c>[^”\n]{1,400}?)”|‘(?P<d>[^\n]{1,400}?)’(?!\w))(?P<open>…|\.\.\.)?"
)
_SOUND: Final = (
    r"(?:rests?|takes?\s+up|is\s+inherent|follows?\s+from|is\s+short\s+for|is\s+introduced"
    r"|has\s+(?:proper\s+)?(?:antecedent\s+)?basis)"
)
_FOUND_SOUND: Final = re.compile(rf"[^'\"“‘.;]{{0,30}}?\b{_SOUND}\b", re.IGNORECASE)
_BASIS: Final = re.compile(rf"\b{_SOUND}\b[^'\"“‘.;]{{0,30}}\Z", re.IGNORECASE)


def defects_in(reasoning: str) -> tuple[tuple[ErrorClass | None, str], ...]:
    """(class, quote) for the words that a failing rationale quotes as defective, in order.

    These are the quotations of Step 2 except phrases that are called sound and the basis of those phrases. If
    Step 3 names classes, only their sections count. If Step 2 does not go class by class, the class is the
    one that Step 3 names, if it names just one. Without a Step 2, nothing is found. A quotation that was cut
    off ends in "…".
    """
    verdict = next((match.start() for match in _STEP_3.finditer(reasoning)), len(reasoning))
    opened = _STEP_2.search(reasoning, 0, verdict)
    begin = opened.end() if opened else verdict
    named = [ErrorClass(match[1].lower()) for match in _NAMED.finditer(reasoning, verdict)]
    sections = list(_SECTION.finditer(reasoning, begin, verdict))
    found: dict[tuple[ErrorClass | None, str], None] = {}
    if not sections:
        kind = named[0] if len(set(named)) == 1 else None
        found = {(kind, quote): None for quote in _defective(reasoning[begin:verdict])}
    ends = [*(section.start() for section in sections), verdict]
    for section, (_, end) in zip(sections, pairwise(ends), strict=True):
        own = ErrorClass(section[1].lower())
        if own in named or not named:
            found.update({(own, quote): None for quote in _defective(reasoning[section.end() : end])})
    return tuple(found)[:MAX_QUOTATIONS]


def parts_in(reasoning: str) -> tuple[str, ...]:
    """The quotations of Step 1; none without a Step 2, which ends it."""
    ends = _STEP_2.search(reasoning)
    return tuple(_quotations(reasoning[: ends.start()])) if ends else ()


def _quotations(said: str) -> Iterator[str]:
    """Every quotation."""
    return filter(None, map(_words, QUOTED.finditer(said)))


def _defective(said: str) -> Iterator[str]:
    """The quotations of one section, except those that are called sound, and their bases."""
    for match in QUOTED.finditer(said):
        quote = _words(match)
        if quote and not _FOUND_SOUND.match(said, match.end()) and not _BASIS.search(said, 0, match.start()):
            yield quote


def _words(quotation: re.Match[str]) -> str:
    """The words of a quotation; one that was cut off ends in "…"."""
    quote = next(filter(None, quotation.group("a", "b", "c", "d")), "").strip()
    return f"{quote}…" if quote and quotation["open"] else quote
