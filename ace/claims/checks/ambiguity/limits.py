"""Limits that contradict themselves: "at least 5 to 10 mm", "more than 10 or more" (MPEP 2173.05(c)(I))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ace.claims.checks.ambiguity.rules import RULE
from ace.claims.findings import Flaw
from ace.claims.language.lexicon import EXACT
from ace.claims.language.words import Word, word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_LOWER: Final = frozenset({("at", "least"), ("greater", "than"), ("more", "than")})
_BOUNDS: Final = _LOWER | {("at", "most"), ("equal", "to"), ("less", "than"), ("up", "to")}
_FIRST: Final = frozenset(first for first, _ in _BOUNDS)
_NEAR: Final = frozenset({"about", "approximately", "around"})
_TO: Final = frozenset({"to", "-", "‐", "‑", "–", "—"})
_AGAIN: Final = frozenset({"above", "greater", "higher", "more"})
_LONGEST: Final = 3
"""How many words may stand between a number and "or more"."""


def double_limits(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """The first bound that is a range, or that is given again by "or more"; "10-8" is a power of ten.

    Signals: "range" or "again".
    """
    words = () if _FIRST.isdisjoint(word_set(claim.text)) else reading.words(claim.number)
    for at in range(len(words) - 3):
        if words[at].lower not in _FIRST:
            continue
        bound = (words[at].lower, words[at + 1].lower)
        if bound not in _BOUNDS:
            continue
        number = at + 3 if words[at + 2].lower in _NEAR else at + 2
        signal, end = "range", _range_end(words, number)
        if not end and bound in _LOWER:
            signal, end = "again", _again_end(words, number)
        if end:
            quote = " ".join(claim.text[words[at].start : end].split())
            why = f"“{quote}” gives two limits, and it is unclear which of them counts."
            yield Flaw(RULE["double_limit"], words[at].start, end, why, None, (signal,))
            return


def _range_end(words: Sequence[Word], at: int) -> int:
    """Where the range of digits at this word ends, or 0."""
    low = _value(words, at)
    to = at + 2 if at + 1 < len(words) and words[at + 1].lower == "%" else at + 1
    high = _value(words, to + 1)
    if low is None or high is None or words[to].lower not in _TO or not low < high:
        return 0
    power = low == 10 and words[to].lower != "to"
    return 0 if power else words[to + 1].end


def _value(words: Sequence[Word], at: int) -> float | None:
    try:
        return float(words[at].lower.replace(",", "")) if words[at].lower[0].isdigit() else None
    except (IndexError, ValueError):
        return None


def _again_end(words: Sequence[Word], at: int) -> int:
    """Where "or more" soon after the number at this word ends, or 0."""
    if at >= len(words) or not (words[at].lower[0].isdigit() or words[at].lower in EXACT):
        return 0
    for place in range(at + 1, min(at + 2 + _LONGEST, len(words) - 1)):
        word = words[place].lower
        if word == "or":
            return words[place + 1].end if words[place + 1].lower in _AGAIN else 0
        if word in {",", ";", "of", "and"}:
            return 0
    return 0
