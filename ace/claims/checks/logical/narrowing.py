"""Quantities of a claim against what it, or the nearest ancestor that speaks of them, says of the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Final

from ace.claims.checks.logical.rules import RULE
from ace.claims.checks.logical.stated import MEASURES, PER, Context, Stated, stated_quantities
from ace.claims.findings import Flaw
from ace.claims.language.quantities import Quantity
from ace.claims.language.tables import word_list
from ace.claims.language.units import PERCENT, common
from ace.claims.language.words import root
from ace.claims.model import Claim
from ace.claims.reading import Reading

_TELLING_APART: Final = frozenset(map(root, word_list("quantities", "telling_apart")))
_ALIKE: Final = 6
"""Words behind two quantities that are compared."""
_WORDING: Final = 3
"""Words before two quantities that are the same, if they speak of one thing whatever its article."""
_NEXT: Final = 4
"""Words before a quantity among which one may tell it apart."""
_BETWEEN: Final = 3
"""Words among those before a quantity that another statement of the same may leave out."""
_MOST_ANCESTORS: Final = 24
"""Ancestors compared with: keeps the work linear in a set where each claim depends on all before."""
_BEFORE: Final = 20
"""Statements before one that it is compared with."""


def misfitting_quantities(reading: Reading, claim: Claim) -> Iterator[Flaw]:
    """Quantities that the claim says of something known, and that do not fit what is said of it before."""
    own = stated_quantities(reading, claim.number)
    ancestors = _nearest_ancestors(reading, claim) if own else ()
    for index, stated in enumerate(own):
        rival = _other_value(stated, own[max(0, index - _BEFORE) : index])
        if rival is not None:
            why = f"The claim also gives it as “{rival.quoted(claim.text)}”."
            quantity = stated.quantity
            yield Flaw(RULE["stated_twice"], quantity.start, quantity.end, why, signals=("same_claim",))
        else:
            yield from _misfit(reading, stated, ancestors)


def _nearest_ancestors(reading: Reading, claim: Claim) -> Sequence[Claim]:
    """The claims whose limitations every path inherits: single parents only, nearest first. Where a claim may
    depend on several, what one of them says need not hold for it."""
    found: dict[int, Claim] = {}
    step: Claim | None = claim
    while step is not None and len(step.parents) == 1 and len(found) < _MOST_ANCESTORS:
        parent = step.parents[0]
        step = None if parent in found or parent == claim.number else reading.claims.get(parent)
        if step is not None:
            found[parent] = step
    return tuple(found.values())


def _misfit(reading: Reading, stated: Stated, ancestors: Sequence[Claim]) -> Iterator[Flaw]:
    for ancestor in ancestors:
        rivals = [
            other for other in stated_quantities(reading, ancestor.number) if _is_of_same(stated, other)
        ]
        if rivals:
            if all(_binds(stated, other) and not _allowed(stated.quantity, other) for other in rivals):
                yield _flaw(stated, rivals, ancestor)
            return


def _binds(stated: Stated, other: Stated) -> bool:
    """Whether what `other` says holds where `stated` is said: always, or by the same words."""
    mine, theirs = stated.context, other.context
    if mine.added:
        return False
    if mine.near[-_WORDING:] == theirs.near[-_WORDING:] and len(mine.near) >= _WORDING:
        return mine.limited == theirs.limited
    return mine.known and not mine.limited and not theirs.limited


def _flaw(stated: Stated, rivals: Sequence[Stated], ancestor: Claim) -> Flaw:
    quantity, other = stated.quantity, rivals[0].quantity
    key = stated.context.key
    quote = other.quoted(ancestor.text)
    signals = {
        "subject_exact": key == rivals[0].context.near[-len(key) :],
        "several": len(rivals) > 1,
        "unit": not stated.counted,
    }
    held = tuple(signal for signal, holds in signals.items() if holds)
    where = f"the range of claim {ancestor.number} (“{quote}”)"
    if quantity.value and other.value and (not stated.counted or PER in stated.context.after):
        subtype, why = "stated_twice", f"Claim {ancestor.number} gives it as “{quote}”."
    elif any(quantity.meets(_bound(rival)) for rival in rivals):
        subtype, why = "range_widened", f"This goes beyond {where}."
    else:
        subtype, why = "range_missed", f"None of these values lies in {where}."
    return Flaw(RULE[subtype], quantity.start, quantity.end, why, signals=held)


def _other_value(stated: Stated, before: Sequence[Stated]) -> Quantity | None:
    """The last of the values that the claim gave the same before, if it is another one."""
    for other in reversed(before) if stated.quantity.value else ():
        if (
            other.quantity.value
            and other.context is not stated.context
            and _is_of_same(stated, other)
            and not stated.quantity.meets(other.quantity)
            and _settles(stated, other.context)
        ):
            return other.quantity
    return None


def _settles(stated: Stated, other: Context) -> bool:
    """Whether a value is said to be the one of something known, by the words of the other."""
    mine = stated.context
    named = mine.key == other.key and len(mine.key) + len(mine.after) > 1
    lasting = mine.known and not (mine.limited or mine.added or other.limited)
    return named and lasting and bool(mine.after or not stated.counted)


def _allowed(quantity: Quantity, other: Stated) -> bool:
    bound = _bound(other)
    return quantity.within(bound) and quantity.meets(bound)


def _bound(stated: Stated) -> Quantity:
    """What a count allows: a claim to four arms has room for five."""
    quantity, after = stated.quantity, stated.context.after
    if stated.counted and quantity.value and after and PER not in after:
        return quantity._replace(high=inf)
    return quantity._replace(low_open=False, high_open=False)


def _is_of_same(stated: Stated, other: Stated) -> bool:
    """Whether the words around two quantities say that they are quantities of the same."""
    if common(stated.quantity.unit, other.quantity.unit) is None or not _alike_behind(stated, other):
        return False
    key, near = stated.context.key, other.context.near
    if not key:
        after = stated.context.after
        return stated.quantity.unit.dimension in PERCENT and bool(after) and after == other.context.after
    words = set(key)
    if not words.issubset(near[-len(key) - _BETWEEN :]) or not words.issuperset(near[-min(2, len(key)) :]):
        return False
    if not words.issuperset(_TELLING_APART.intersection(near[-_NEXT:])):
        return False
    measured = next((word for word in reversed(near) if word in MEASURES), None)
    return measured is None or measured in words


def _alike_behind(stated: Stated, other: Stated) -> bool:
    mine, theirs = stated.context, other.context
    if stated.counted:
        if not mine.after and not theirs.after:
            return mine.key[-1:] == theirs.near[-1:]
        return bool(mine.after and theirs.after) and mine.after[0] in theirs.after
    return not mine.after or mine.after[:_ALIKE] == theirs.after[:_ALIKE]
