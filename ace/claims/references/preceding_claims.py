"""What a claim means by claims that it does not number: "any preceding claim", "the two claims above".

Reads the words around "claim"; the numbers follow from the number of the claim itself.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

LOOK_BACK_CHARACTERS: Final = 80
"""Characters before the word "claim" that may say which claims are meant."""


class PrecedingClaims(NamedTuple):
    """text[start:end] means the claims before: the `last` of them, so many, or all if it is None.

    `choice`: any one of them; otherwise all together.
    """

    start: int
    end: int
    last: int | None
    choice: bool


_NUMBER_WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT: Final = rf"(?:{'|'.join(_NUMBER_WORDS)}|[2-9]|[1-9][0-9])"
_BEFORE: Final = (
    r"(?:preceding|preceeding|proceeding|precedent|previous|prior|foregoing|above(?:[\s-]mentioned)?|afore(?:mentioned|said|going)"
    r"|earlier|former)"
)
_KIND: Final = r"(?:method|process|apparatus|device|system|product|composition|use|independent|dependent)"
_CHOICE: Final = (
    r"(?P<choice>(?:any|either|each|one|all|both|several|a|an|some|at\sleast\sone)"
    r"(?:\s(?:one|both|or|more|several|some|of)){0,24}(?:\s(?:the|said))?)"
)
_WORDS_BEFORE: Final = re.compile(
    rf"""(?:\b{_CHOICE}\s|\b(?P<the>the)\s)?
        (?:(?P<first>{_COUNT})\s)?
        (?:(?:immediately\s|directly\s|just\s|next\s|last\s)?\b{_BEFORE}\s(?:(?P<second>{_COUNT})\s)?
          |last\s(?P<last>{_COUNT})\s)
        (?:{_KIND}\s)?\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_WORDS_AFTER: Final = re.compile(
    r"""\s(?:immediately\s|directly\s)?(?:above|hereinabove|hereinbefore|preceding|foregoing)
        (?=\s?(?:[,.;:)]|\Z|(?:wherein|where|in\swhich|further|characteri[sz]ed|which|that|having|comprising|and|or)\b))""",
    re.IGNORECASE | re.VERBOSE,
)
_ALL_AFTER: Final = re.compile(rf"(?:\b{_CHOICE}\s|\bthe\s)(?:(?P<count>{_COUNT})\s)?\Z", re.IGNORECASE)


def preceding_claims(text: str, start: int, end: int) -> PrecedingClaims | None:
    """The claims before that the word "claim" or "claims" at text[start:end] means, or None."""
    since = max(0, start - LOOK_BACK_CHARACTERS)
    plural = text[start:end].lower().endswith("s")
    before = _WORDS_BEFORE.search(text, since, start)
    if before is not None:
        written = before["first"] or before["second"] or before["last"]
        return _meant(before.start(), end, before["choice"], written, plural=plural)
    after = _WORDS_AFTER.match(text, end)
    named = _ALL_AFTER.search(text, since, start) if after is not None else None
    if after is None or named is None:
        return None
    return _meant(named.start(), after.end(), named["choice"], named["count"], plural=plural)


def _meant(start: int, end: int, choice: str | None, written: str | None, *, plural: bool) -> PrecedingClaims:
    words = (choice or "").lower()
    last = None if written is None else _number(written.lower())
    if last is None and words == "both":
        last = 2
    if last is None and not words and not plural:
        last = 1
    together = not words or words.startswith(("all", "each", "both"))
    return PrecedingClaims(start, end, last, not together)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _NUMBER_WORDS.index(word) + 2
