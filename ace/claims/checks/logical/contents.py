"""How much of what the claimed thing contains: "comprises 0.05 to 0.4 wt% of carbon", "carbon in an amount of
0.3 to 0.6 wt%" and "a carbon content of 0.3 wt%" all give the amount of carbon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite

from ace.claims.checks.logical.chain import kept_with_set, nearest_ancestors
from ace.claims.checks.logical.rules import RANGE_MISSED, RANGE_WIDENED
from ace.claims.checks.logical.stated_quantities import quantities_of
from ace.claims.findings import Flaw
from ace.claims.language.quantities import Quantity
from ace.claims.language.tables import word_list
from ace.claims.language.units import common
from ace.claims.language.words import lemma
from ace.claims.model import Claim
from ace.claims.reading import Reading

_SHARES = frozenset({"percent", "percent by weight", "percent by volume", "mole percent"})
_OPENS = re.compile(
    r"\b(?:compris|contain|includ|consist)\w*(?:\sessentially)?(?:\sof)?\s|\bhaving\s", re.IGNORECASE
)
_REFERS = re.compile(
    r"\bclaims?\s[0-9]{1,4}\s?,?\s?(?:wherein\sthe\s(?:[\w-]+\s){1,4}?)?"
    r"(?=(?:compris|contain|includ|consist)\w*\s|having\s|has\s|with\s)",
    re.IGNORECASE,
)
# Where the list of what the claimed thing contains may pass to what another thing is or has.
_ENDS = re.compile(
    r"\b(?:compris|contain|includ|consist)\w*|\b(?:having|has|have|wherein|which|that|is|are|being|made|layer|region|phase"
    r"|portion|part|step|mixing|adding|providing|first|second|ratio|or)\b",
    re.IGNORECASE,
)
_NAME = r"(?P<name>[a-z][a-z-]{2,}(?:\s[a-z][a-z-]{2,})?)"
_AFTER = re.compile(
    rf"\s(?:by\s(?:weight|mass|volume)\s)?(?:of\s)?(?:the\s|said\s)?{_NAME}(?=\s?(?:[,;.]|\Z|and\b))"
)
_IN_AN_AMOUNT = re.compile(
    rf"(?:\A|[\s,;]){_NAME}\s(?:in|at)\san?\s(?:amount|concentration|proportion)\s(?:of\s|ranging\s|in\sthe\srange\sof\s)?\Z"
)
_CONTENT = re.compile(rf"\b(?:an?|the|said)\s{_NAME}\s(?:content|concentration)\s(?:is\s|of\s)?\Z")
_NO_NAME = word_list("logic", "no_constituent")
_WINDOW = 90


@dataclass(frozen=True, slots=True)
class Content:
    """How much of `name` the claimed thing has."""

    name: tuple[str, ...]
    quantity: Quantity


def misfitting_contents(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Contents of a dependent claim that go beyond those that an ancestor gives of the same constituent."""
    if not claim.parents or ("%" not in claim.text and "percent" not in claim.text):
        return
    own = contents(reading, claim.text)
    if not own:
        return
    ancestors = nearest_ancestors(reading, claim)
    for each in own:
        for ancestor in ancestors:
            rivals = _by_name(reading, ancestor.text).get(each.name)
            if rivals is None:
                continue
            if len(rivals) == 1 and _beyond(each.quantity, rivals[0]):
                yield _flaw(each.quantity, rivals[0], ancestor)
            break


@kept_with_set
def _by_name(reading: Reading, text: str) -> dict[tuple[str, ...], list[Quantity]]:
    found: dict[tuple[str, ...], list[Quantity]] = {}
    for each in contents(reading, text):
        found.setdefault(each.name, []).append(each.quantity)
    return found


def _beyond(mine: Quantity, theirs: Quantity) -> bool:
    return common(mine.unit, theirs.unit) is not None and not (mine.within(theirs) and mine.meets(theirs))


def _flaw(mine: Quantity, theirs: Quantity, ancestor: Claim) -> Flaw:
    quote = theirs.quoted(ancestor.text)
    if mine.meets(theirs):
        words = f"This goes beyond the range of claim {ancestor.number} (“{quote}”)."
        return Flaw(RANGE_WIDENED, mine.start, mine.end, words, signals=("content", "unit"))
    words = f"None of these values lies in the range of claim {ancestor.number} (“{quote}”)."
    return Flaw(RANGE_MISSED, mine.start, mine.end, words, signals=("content", "unit"))


@kept_with_set
def contents(reading: Reading, text: str) -> tuple[Content, ...]:
    """The contents that a text gives of the claimed thing itself, in percent."""
    refers = _REFERS.search(text)
    opens = _OPENS.search(text, refers.end() if refers else 0)
    if opens is None or (refers is None and re.search(r"\bclaims?\s[0-9]", text)):
        return ()
    if (
        refers is not None
        and opens.start() != refers.end()
        and not re.match(r"(?:has|with)\s", text[refers.end() :])
    ):
        return ()
    begin = opens.end() if refers is None or opens.start() == refers.end() else refers.end() + 4
    stop = _ENDS.search(text, begin)
    end = stop.start() if stop else len(text)
    return tuple(
        Content(name, quantity)
        for quantity in quantities_of(reading, text)
        if begin <= quantity.start < end
        and quantity.unit.dimension in _SHARES
        and (isfinite(quantity.low) or isfinite(quantity.high))
        and (name := _name(text, begin, quantity)) is not None
    )


def _name(text: str, begin: int, quantity: Quantity) -> tuple[str, ...] | None:
    before = text[max(begin - 1, quantity.start - _WINDOW) : quantity.start].lower()
    match = (
        _IN_AN_AMOUNT.search(before)
        or _CONTENT.search(before)
        or _AFTER.match(text[quantity.end : quantity.end + _WINDOW].lower())
    )
    if match is None:
        return None
    words = tuple(lemma(word) for word in match["name"].split())
    return words if _NO_NAME.isdisjoint(words) else None
