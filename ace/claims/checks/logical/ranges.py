"""Ranges that no value can meet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import inf

from ace.claims.checks.logical.rules import IMPOSSIBLE_RANGE
from ace.claims.checks.logical.stated_quantities import quantities_of, stated_quantities
from ace.claims.checks.logical.subjects import clause_start, same
from ace.claims.findings import Fix, Flaw
from ace.claims.language.quantities import AND_BOUND, Quantity
from ace.claims.language.units import common
from ace.claims.model import Claim
from ace.claims.reading import Reading

_SHARES = frozenset({"percent by weight", "percent by volume", "mole percent"})
_SHARED = re.compile(
    r"\b(?:identity|identical|homology|homologous|purity|pure|humidity|probability|likelihood|porosity|crystallinity)\b"
)
_CHANGE = re.compile(
    r"""\b(?:cool|decreas|reduc|lower(?:s|ed|ing)|ramp|gradient|drop|fall(?!\w*\s(?:in|within))|chang|shift|var(?:y|ie)
        |sweep|swept|declin|taper|descend|count|rotat|mov(?:e|ing)|adjust|switch|convert|transform|go(?:es|ing)?\b
        |pass(?:es|ing)|rescal|scaled|scaling|revers|dilut|titrat|shrink|narrow(?:s|ing)|diminish|quench|slow|decay
        |downward|drift|elut|progress|back|numbered|tun(?:e|ing))""",
    re.VERBOSE | re.IGNORECASE,
)
_RANGE_OF = re.compile(r"\brange\s(?:of|from)\s\Z", re.IGNORECASE)
_LOOK_BACK_CHARACTERS = 20
_NEAR = 20
"""Statements before one that it is compared with."""


def impossible_ranges(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Ranges of one claim that no value can meet. Of the falling ones only the first is reported, since an
    author who writes one that way writes all of them that way."""
    reported = False
    found = quantities_of(reading, claim.text)
    rising = frozenset((each.low, each.high) for each in found if each.ranged and not each.reversed)
    for index, quantity in enumerate(found):
        if quantity.reversed:
            if not reported and not _complemented(quantity, rising):
                falling = list(_reversed(claim.text, quantity))
                reported = bool(falling)
                yield from falling
        elif _beyond_all(claim.text, quantity):
            yield Flaw(
                IMPOSSIBLE_RANGE,
                quantity.start,
                quantity.end,
                "A share cannot exceed 100 percent.",
                signals=("over_hundred",),
            )
        if index:
            yield from _excluding(claim.text, found[index - 1], quantity)
    if len(found) > 1:
        yield from _twice_bounded(reading, claim)


def _twice_bounded(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Two statements of one quantity that no value satisfies together."""
    stated = [each for each in stated_quantities(reading, claim.text) if not each.conditional]
    names = Counter(each.subject.words for each in stated if not each.predicative)
    own = [each for each in stated if each.predicative or names[each.subject.words] == 1]
    for index, each in enumerate(own):
        for other in own[max(0, index - _NEAR) : index] if each.predicative else ():
            if (
                same(each.subject, other.subject)
                and each.at == other.at
                and _disjoint(each.quantity, other.quantity)
            ):
                yield Flaw(
                    IMPOSSIBLE_RANGE,
                    each.quantity.start,
                    each.quantity.end,
                    f"No value satisfies both this and “{other.quantity.quoted(claim.text)}”.",
                    signals=("same_claim",),
                )
                break


def _reversed(text: str, quantity: Quantity) -> Iterator[Flaw]:
    written = text[quantity.start : quantity.end]
    named = _RANGE_OF.search(text, max(0, quantity.start - _LOOK_BACK_CHARACTERS), quantity.start)
    if not (quantity.word or quantity.unit.dimension or named):
        return
    if _CHANGE.search(text, max(clause_start(text, quantity.start), quantity.start - 80), quantity.start):
        return
    if re.search(r"(?:\A|\s)[-−]\s?[0-9]", written):
        return
    signals = ("reversed", "unit") if quantity.unit.dimension else ("reversed",)
    yield Flaw(
        IMPOSSIBLE_RANGE,
        quantity.start,
        quantity.end,
        "The range starts at a greater value than it ends with.",
        _turned(written, quantity),
        signals,
    )


def _disjoint(one: Quantity, other: Quantity) -> bool:
    return common(one.unit, other.unit) is not None and not one.meets(other)


def _complemented(quantity: Quantity, rising: frozenset[tuple[float, float]]) -> bool:
    """Whether the claim has the same range in rising order, or what is left of it to 100: "10 to 75 %
    of A and 90 to 25 % of B"."""
    rest = (100 - quantity.high, 100 - quantity.low)
    return (quantity.low, quantity.high) in rising or rest in rising


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


def _beyond_all(text: str, quantity: Quantity) -> bool:
    top = quantity.low if quantity.high == inf else quantity.high
    if top <= 100 or quantity.unit.dimension not in {*_SHARES, "percent"}:
        return False
    after = text[quantity.end : quantity.end + 30]
    if re.match(
        r"\s?(?:,|\()?\s?(?:based|relative|with\srespect|compared|of\sthe\s(?:weight|volume|mass))", after
    ):
        return False
    if quantity.unit.dimension in _SHARES:
        return not re.search(
            r"\b(?:based|relative|respect|per|compared)\b", text[quantity.end : quantity.end + 80]
        )
    near = text[max(0, quantity.start - 40) : quantity.start] + after
    return bool(_SHARED.search(near))


def _excluding(text: str, first: Quantity, second: Quantity) -> Iterator[Flaw]:
    """ "at least 5 mm and less than 3 mm": two bounds of one thing that exclude each other."""
    if first.ranged or second.ranged or first.value or second.value:
        return
    if not AND_BOUND.fullmatch(text, first.end, second.start) or (first.low == -inf) == (second.low == -inf):
        return
    if first.unit.dimension and common(first.unit, second.unit) is None:
        return
    if not first.unit.dimension:
        first = first.in_unit(second.unit)
    if first.meets(second):
        return
    yield Flaw(
        IMPOSSIBLE_RANGE,
        first.start,
        second.end,
        "No value satisfies both bounds.",
        signals=("bounds",),
    )
