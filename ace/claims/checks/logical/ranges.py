"""Ranges that no value can meet: ends the wrong way round, or bounds that exclude each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ace.claims.checks.logical.rules import RULE
from ace.claims.checks.logical.stated import quantities_of
from ace.claims.findings import Fix, Flaw
from ace.claims.language.quantities import Quantity, other_bound
from ace.claims.model import Claim
from ace.claims.reading import Reading

_CHANGE: Final = re.compile(
    r"""\b(?:cool|decreas|reduc|lower(?:s|ed|ing)|ramp|gradient|drop|fall(?!\w*\s(?:in|within))|chang|shift|var(?:y|ie)
        |sweep|swept|declin|taper|descend|count|rotat|mov(?:e|ing)|adjust|switch|convert|transform|go(?:es|ing)?\b
        |pass(?:es|ing)|rescal|scaled|scaling|revers|dilut|titrat|shrink|narrow(?:s|ing)|diminish|quench|slow|decay
        |downward|drift|elut|progress|back|numbered|tun(?:e|ing))""",
    re.VERBOSE | re.IGNORECASE,
)
_OR: Final = re.compile(r",?\s(?:or\s|and\s)?(?:about\s)?")
_NO_LIMIT: Final = frozenset({"under", "within"})
_FEW: Final = 2
"""Further values that a bound may have."""
_NEAR: Final = 80
"""Characters before a range among which a word may say that it is a change."""


def impossible_ranges(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Ranges of one claim that no value can meet. Of the falling ones only the first is reported, since an
    author who writes one that way writes all of them that way."""
    text = claim.text
    found = quantities_of(reading, claim.number)
    rising = {(each.low, each.high) for each in found if each.ranged and not each.reversed}
    first = next((each for each in found if each.reversed), None)
    if first is not None and _is_wrong(text, first, rising):
        yield _reversed(text, first)
    for one, other in pairwise(found):
        bound = other_bound(text, one, other)
        if bound is not None and not bound.meets(other):
            why = "No value satisfies both bounds."
            yield Flaw(RULE["impossible_range"], one.start, other.end, why, signals=("bounds",))


def several_limits(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Bounds with three values or more: "at least 80, 85 or 90 %"."""
    text = claim.text
    found = quantities_of(reading, claim.number)
    index = 0
    while index < len(found):
        last = index
        while last + 1 < len(found) and _goes_on(text, found[last], found[last + 1]):
            last += 1
        first = found[index]
        bounded = not (first.ranged or first.value) and _NO_LIMIT.isdisjoint(first.word.split())
        if bounded and first.word and last - index >= _FEW:
            why = "Several values follow one bound, and it is unclear which of them limits the claim."
            yield Flaw(RULE["several_limits"], first.start, found[last].end, why)
        index = last + 1


def _goes_on(text: str, one: Quantity, other: Quantity) -> bool:
    """Whether a second number is no more than one more value: "80, 85", "85 or 90"."""
    return other.value and not other.word and _OR.fullmatch(text, one.end, other.start) is not None


def _is_wrong(text: str, quantity: Quantity, rising: set[tuple[float, float]]) -> bool:
    """Whether a falling range of a unit is neither a change, nor of negative numbers, nor what another range
    leaves of 100: "10 to 75 % of A and 90 to 25 % of B"."""
    ends = (quantity.low, quantity.high)
    return not (
        not quantity.unit.dimension
        or ends in rising
        or (100 - quantity.high, 100 - quantity.low) in rising
        or _CHANGE.search(text, max(0, quantity.start - _NEAR), quantity.start)
        or any(part[0] in "-−" for part in quantity.quoted(text).split())
    )


def _reversed(text: str, quantity: Quantity) -> Flaw:
    return Flaw(
        RULE["impossible_range"],
        quantity.start,
        quantity.end,
        "The range starts at a greater value than it ends with.",
        _turned(quantity.quoted(text), quantity),
        ("reversed", "unit"),
    )


def _turned(written: str, quantity: Quantity) -> Fix | None:
    """The range with its ends exchanged, where both are bare numbers with one unit after them."""
    numbers = list(re.finditer(r"[0-9][0-9.,]*", written))
    if len(numbers) != 2:
        return None
    low, high = numbers
    between = written[low.end() : high.start()]
    if not re.fullmatch(r"\s(?:to|and)\s", between):
        return None
    text = written[: low.start()] + high.group() + between + low.group() + written[high.end() :]
    return Fix(quantity.start, quantity.end, text)
