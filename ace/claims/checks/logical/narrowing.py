"""Ranges of a dependent claim that its parent does not allow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.claims.checks.logical.chain import nearest_ancestors
from ace.claims.checks.logical.rules import RANGE_MISSED, RANGE_WIDENED
from ace.claims.checks.logical.stated_quantities import StatedQuantity, stated_quantities
from ace.claims.checks.logical.subjects import same_part
from ace.claims.findings import Flaw
from ace.claims.language.tables import word_list
from ace.claims.language.units import common
from ace.claims.model import Claim
from ace.claims.reading import Reading

_ENDS = re.compile(r"\s?(?:[.,;]|\Z)")
_VAGUE = word_list("logic", "vague_quantities")
_GIVEN = frozenset({"dose", "rate", "speed"})
"""Quantities whose owner often stands before "at": "administering a drug at a dose of"."""


def misfitting_ranges(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Ranges that the claim states of a quantity against those that its ancestors state of it."""
    own = [
        each for each in stated_quantities(reading, claim.text) if each.predicative and not each.conditional
    ]
    if not own:
        return
    earlier = [
        (ancestor, stated_quantities(reading, ancestor.text))
        for ancestor in nearest_ancestors(reading, claim)
    ]
    for each in own:
        yield from _misfit(each, earlier, claim.text)


def _misfit(
    each: StatedQuantity, earlier: list[tuple[Claim, tuple[StatedQuantity, ...]]], text: str
) -> Iterator[Flaw]:
    for ancestor, others in earlier:
        rivals = [
            other for other in others if _comparable(each, other) and _owned(each, other, ancestor.text)
        ]
        near = [] if rivals else _nearest(each, others, text, ancestor.text)
        rivals = rivals or near
        if not rivals:
            continue
        vague = each.subject.words[0] in _VAGUE and not each.subject.of
        allowed = any(other.conditional or _allowed(each, other) for other in rivals)
        if not allowed and not (vague and len(rivals) > 1):
            yield _flaw(each, rivals, ancestor, _signals(each, rivals, vague=vague, near=bool(near)))
        return


def _signals(
    each: StatedQuantity, rivals: list[StatedQuantity], *, vague: bool, near: bool
) -> tuple[str, ...]:
    held = {
        "subject_exact": any(other.subject.words == each.subject.words for other in rivals),
        "several": len(rivals) > 1,
        "vague": vague,
        "nearest": near,
        "unit": bool(each.quantity.unit.dimension),
        "parted": any(bool(each.subject.of) != bool(other.subject.of) for other in rivals),
    }
    return tuple(signal for signal, holds in held.items() if holds)


def _flaw(
    each: StatedQuantity, rivals: list[StatedQuantity], ancestor: Claim, signals: tuple[str, ...]
) -> Flaw:
    missed = not any(each.quantity.meets(other.quantity) for other in rivals)
    where = f"the range of claim {ancestor.number} (“{rivals[0].quantity.quoted(ancestor.text)}”)"
    why = f"None of these values lies in {where}." if missed else f"This goes beyond {where}."
    rule = RANGE_MISSED if missed else RANGE_WIDENED
    return Flaw(rule, each.quantity.start, each.quantity.end, why, signals=signals)


def _nearest(
    each: StatedQuantity, others: tuple[StatedQuantity, ...], text: str, holder: str
) -> list[StatedQuantity]:
    """The one range of the same unit that stands right after the same noun, where the claim gives
    that noun itself a range: "the solution is from 3 to 9" after "a solution of pH 5 to 7"."""
    if not each.quantity.ranged or each.subject.of or not _ENDS.match(text, each.quantity.end):
        return []
    phrase = " ".join(each.subject.words)
    found = [
        other
        for other in others
        if other.quantity.ranged
        and other.quantity.unit.dimension == each.quantity.unit.dimension
        and phrase in holder[max(0, other.quantity.start - 60) : other.quantity.start].lower()
    ]
    return found if len(found) == 1 else []


def _allowed(one: StatedQuantity, other: StatedQuantity) -> bool:
    return one.quantity.within(other.quantity) and one.quantity.meets(other.quantity)


def _comparable(one: StatedQuantity, other: StatedQuantity) -> bool:
    """Whether both speak of the same quantity of the same thing."""
    mine, theirs = one.subject, other.subject
    if mine.head != theirs.head or common(one.quantity.unit, other.quantity.unit) is None:
        return False
    if one.at and other.at and one.at != other.at:
        return False
    if mine.head in _VAGUE and len(mine.words) == 1 and mine.of and mine.of != theirs.of:
        return mine.head in _GIVEN and mine.words == theirs.words and not theirs.of
    if not same_part(mine, theirs):
        return False
    if mine.words == theirs.words:
        return True
    shorter, longer = sorted((frozenset(mine.words), frozenset(theirs.words)), key=len)
    return shorter <= longer


def _owned(one: StatedQuantity, other: StatedQuantity, text: str) -> bool:
    """Whether what the quantity is of, where only one says so, stands near the other too."""
    mine, theirs = one.subject, other.subject
    if not mine.of or theirs.of:
        return True
    near = text[max(0, theirs.start - 80) : other.quantity.end + 60].lower()
    return " ".join(mine.of[1:]) in near
