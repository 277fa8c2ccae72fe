"""Shares of one thing that cannot come to 100 percent: more at the least, or less at the most if nothing else
is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ace.claims.checks.logical.chain import nearest_ancestors
from ace.claims.checks.logical.contents import Content, contents
from ace.claims.checks.logical.rules import IMPOSSIBLE_RANGE
from ace.claims.findings import Flaw
from ace.claims.language.words import word_set
from ace.claims.model import Claim
from ace.claims.reading import Reading

_SHARE = frozenset({"%", "percent"})
_WINDOW = 90


def impossible_shares(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Shares of one thing that come to more than 100 percent at the least, or to less at the most."""
    if _SHARE.isdisjoint(word_set(claim.text)):
        return
    lists: dict[tuple[tuple[str, ...] | None, str], list[Content]] = {}
    for each in contents(reading, claim.text):
        if each.quantity.unit.dimension != "parts" and each.holder is not None:
            lists.setdefault((each.holder, each.quantity.unit.dimension), []).append(each)
    yield from _with_inherited(reading, claim, lists)
    for listed in lists.values():
        names = {each.name for each in listed}
        if len(listed) < 2 or len(names) < len(listed) or any(each.conditional for each in listed):
            continue
        first, last = listed[0].quantity, listed[-1].quantity
        least = sum(max(each.quantity.low, 0) for each in listed)
        if least > 100 + _ROUNDING and not _ELSEWHERE.search(claim.text, first.start, last.end + _WINDOW):
            why = f"These shares come to at least {least:g} percent."
            yield Flaw(IMPOSSIBLE_RANGE, first.start, last.end, why, signals=("sum",))
        elif _closed(claim.text, first.start, last.end, len(listed)):
            most = sum(each.quantity.high for each in listed)
            if most < 100 - _ROUNDING:
                why = f"These shares come to at most {most:g} percent, and nothing else is said to be there."
                yield Flaw(IMPOSSIBLE_RANGE, first.start, last.end, why, signals=("sum", "closed"))


def _with_inherited(
    reading: Reading, claim: Claim, lists: Mapping[tuple[tuple[str, ...] | None, str], Sequence[Content]]
) -> Iterator[Flaw]:
    """A share that is added to the claimed thing and that what it inherits leaves no room for: "further
    comprising 35 % of argon" where there is at least 70 % of helium."""
    if "further " not in claim.text or _ELSEWHERE.search(claim.text):
        return
    ancestors = nearest_ancestors(reading, claim)
    if any(_ELSEWHERE.search(ancestor.text) for ancestor in ancestors):
        return
    inherited = [each for ancestor in ancestors for each in contents(reading, ancestor.text)]
    for (holder, unit), listed in lists.items():
        share = listed[0].quantity
        added = _FURTHER.search(claim.text, max(0, share.start - _WINDOW), share.start) is not None
        if holder != () or len(listed) > 1 or not added:
            continue
        least = {
            each.name: max(each.quantity.low, 0)
            for each in (*reversed(inherited), listed[0])
            if each.holder == () and each.quantity.unit.dimension == unit and not each.conditional
        }
        if len(least) > 1 and sum(least.values()) > 100 + _ROUNDING:
            why = (
                f"With what the claim inherits, the shares come to at least {sum(least.values()):g} percent."
            )
            yield Flaw(IMPOSSIBLE_RANGE, share.start, share.end, why, signals=("sum",))


_FURTHER = re.compile(r"\bfurther\s(?:compris|contain|includ)(?:es|ing)\s[^;:]{0,60}\Z")


_ROUNDING = 1.0
"""Percent by which shares that are rounded may miss 100."""
_ELSEWHERE = re.compile(
    r"\b(?:based(?!\son\s(?:an?|the)\s(?:(?:total|overall|whole|entire)\s)?(?:weight|mass|volume)\b)|relative|with\srespect|per|each|respectively|of\swhich|or)\b"
)
_CONSISTING = re.compile(r"\bconsist(?:s|ing)?\sof:?\s\Z", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:balance|remainder|rest|optionally|or|impurit\w+|remaining|and\sa)\b", re.IGNORECASE
)
_ITEMS = re.compile(r",\s(?:and\s)?|\sand\s|;\s?(?:and\s)?")


def _closed(text: str, start: int, end: int, size: int) -> bool:
    """Whether a list of that many shares, and of nothing else, is all that there is."""
    stop = _SENTENCE.search(text, end)
    whole = text[start : stop.start() if stop else len(text)]
    return (
        _CONSISTING.search(text, max(0, start - 20), start) is not None
        and _OTHERS.search(whole) is None
        and len([item for item in _ITEMS.split(whole) if item.strip()]) == size
    )


_SENTENCE = re.compile(r"\.(?:\s|\Z)|\bwherein\b")
