"""Which other claims a claim's text refers to: "claim 3", "claims 1, 3 or 5-7", "any preceding claim".

Reads text only. Whether a reference is allowed is the business of checks/dependency.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_REFERENCES = 100
"""Most numbers that one claim's references mean; a longer range stands for its ends and its beginning."""

_NUMBER = r"[0-9]{1,9}(?![0-9])(?!\.[0-9])"
_UNIT = r"(?:%|°|(?:percent|wt|vol|mol|mg|kg|g|mm|cm|nm|µm|m|ml|l|hz|khz|mhz|v|k)\b)"
_NO_QUANTITY = rf"(?!(?:\s*(?:-|–|to)\s*[0-9.]+)?\s*{_UNIT})"
_ITEM = rf"{_NUMBER}{_NO_QUANTITY}"
_TO = r"\s*(?:-|–|—|\bto\b|\bthrough\b|\bthru\b)\s*"
_AND = r"\s*(?:,\s*)?\b(?:and/or|or|and)\b\s*"
_AGAIN = r"(?:(?:in\s+)?(?:any\s+(?:one\s+)?of\s+)?claims?\s+)?"
_REFERENCE = re.compile(
    rf"""\bclaims?\s+{_NUMBER}
         (?:{_TO}{_AGAIN}{_ITEM}
           |{_AND}{_AGAIN}{_ITEM}
           |\s*,\s*{_AGAIN}{_ITEM}(?=\s*(?:,|-|–|—|to\b|through\b|and/or\b|or\b|and\b)))*""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_DOCUMENT = re.compile(
    r"\s*(?:of|in)\s+(?:the\s+)?(?:U\.?S\.?|European|EP|WO|PCT|patent|application)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"(?P<number>[0-9]+)|(?P<to>-|–|—|\bto\b|\bthrough\b|\bthru\b)", re.IGNORECASE)
_CUMULATIVE = re.compile(r"\band\b(?!/or)", re.IGNORECASE)
_BEFORE = r"(?:preceding|previous|prior|foregoing|above|aforementioned|aforesaid)"
_PRECEDING = re.compile(
    rf"""\b(?:any|either|each|one|all)\s+(?:one\s+)?(?:or\s+more\s+)?(?:of\s+)?(?:the\s+)?
         {_BEFORE}\s+claims?\b
       |\bthe\s+{_BEFORE}\s+claims\b""",
    re.IGNORECASE | re.VERBOSE,
)
_THE_PRECEDING = re.compile(r"\bthe\s+(?:immediately\s+)?(?:preceding|previous)\s+claim\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reference:
    """One place where claims are referred to: text[start:end], and the numbers it means.

    `several` is true where it leaves a choice or an addition (more than one claim).
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    several: bool
    cumulative: bool


def references(text: str, number: int) -> tuple[Reference, ...]:
    """Every reference in the text of claim `number`, in order of appearance, at most one per span."""
    return tuple(sorted(_find(text, number), key=lambda reference: reference.start))


def parents_of(text: str, number: int) -> tuple[int, ...]:
    """The claim numbers that the text refers to, each once, in order of appearance.

    Ranges are expanded; at most MAX_REFERENCES numbers. Numbers need not exist in the set.
    """
    found: dict[int, None] = {}
    for reference in references(text, number):
        for parent in reference.numbers:
            if len(found) == MAX_REFERENCES:
                return tuple(found)
            found[parent] = None
    return tuple(found)


def _find(text: str, number: int) -> Iterator[Reference]:
    for match in _REFERENCE.finditer(text):
        if _OTHER_DOCUMENT.match(text, match.end()):
            continue
        numbers = _expand(match.group())
        several = len(numbers) > 1
        cumulative = several and bool(_CUMULATIVE.search(match.group()))
        yield Reference(match.start(), match.end(), numbers, several, cumulative)
    for match in _PRECEDING.finditer(text):
        every = tuple(range(1, min(number, MAX_REFERENCES + 1)))
        yield Reference(match.start(), match.end(), every, len(every) > 1, False)
    for match in _THE_PRECEDING.finditer(text):
        yield Reference(match.start(), match.end(), (number - 1,), False, False)


def _expand(written: str) -> tuple[int, ...]:
    """The numbers of "claims 1, 3 or 5-7": (1, 3, 5, 6, 7)."""
    found: dict[int, None] = {}
    last: int | None = None
    ranged = False
    for piece in _PIECE.finditer(written):
        if piece["number"] is None:
            ranged = last is not None
            continue
        value = int(piece["number"])
        if ranged and last is not None:
            low, high = sorted((last, value))
            found.update(dict.fromkeys(range(low, min(high, low + MAX_REFERENCES - 1))))
        found[value] = None
        last, ranged = value, False
    return tuple(found)
