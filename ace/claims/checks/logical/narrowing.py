"""Quantities of a claim against what it, or the nearest ancestor that speaks of them, says of the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Final

from ace.claims.checks.logical.rules import RULE
from ace.claims.checks.logical.stated import MEASURES, PER, Stated, stated_quantities
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
    ancestors = reading.kept(_nearest_ancestors, claim.number) if own else ()
    for index, each in enumerate(own):
        twice = _stated_twice(each, own[max(0, index - _BEFORE) : index], claim)
        if twice is not None:
            yield twice
        else:
            yield from _misfit(reading, each, ancestors)


def _nearest_ancestors(reading: Reading, number: int) -> tuple[Claim, ...]:
    """The claims whose limitations every path inherits: single parents only, nearest first. Where a claim may
    depend on several, what one of them says need not hold for it."""
    found: list[Claim] = []
    seen = {number}
    step: Claim | None = reading.claims[number]
    while step is not None and len(step.parents) == 1 and len(found) < _MOST_ANCESTORS:
        number = step.parents[0]
        step = None if number in seen else reading.claims.get(number)
        seen.add(number)
        if step is not None:
            found.append(step)
    return tuple(found)


def _misfit(reading: Reading, each: Stated, ancestors: Sequence[Claim]) -> Iterator[Flaw]:
    for ancestor in ancestors:
        rivals = [other for other in stated_quantities(reading, ancestor.number) if is_of_same(each, other)]
        if rivals:
            if all(_binds(each, other) and not _allowed(each.quantity, other) for other in rivals):
                yield _flaw(each, rivals, ancestor)
            return


def _binds(each: Stated, other: Stated) -> bool:
    """Whether what `other` says holds where `each` is said: always, or by the same words."""
    if each.added:
        return False
    if each.near[-_WORDING:] == other.near[-_WORDING:] and len(each.near) >= _WORDING:
        return each.limited == other.limited
    return each.known and not each.limited and not other.limited


def _flaw(each: Stated, rivals: Sequence[Stated], ancestor: Claim) -> Flaw:
    quantity, other = each.quantity, rivals[0].quantity
    missed = not any(quantity.meets(_bound(rival)) for rival in rivals)
    where = f"the range of claim {ancestor.number} (“{other.quoted(ancestor.text)}”)"
    signals = {
        "subject_exact": each.key == rivals[0].near[-len(each.key) :],
        "several": len(rivals) > 1,
        "unit": not each.counted,
    }
    held = tuple(signal for signal, holds in signals.items() if holds)
    if quantity.value and other.value and (not each.counted or PER in each.after):
        why = f"Claim {ancestor.number} gives it as “{other.quoted(ancestor.text)}”."
        return Flaw(RULE["stated_twice"], quantity.start, quantity.end, why, signals=held)
    why = f"None of these values lies in {where}." if missed else f"This goes beyond {where}."
    rule = RULE["range_missed" if missed else "range_widened"]
    return Flaw(rule, quantity.start, quantity.end, why, signals=held)


def _stated_twice(each: Stated, before: Sequence[Stated], claim: Claim) -> Flaw | None:
    """Two values of the same in one claim."""
    for other in reversed(before):
        if (
            each.near is not other.near
            and each.key == other.key
            and len(each.key) + len(each.after) > 1
            and each.known
            and not (each.limited or each.added or other.limited)
            and is_of_same(each, other)
            and each.quantity.value
            and other.quantity.value
            and (each.after or not each.counted)
            and not each.quantity.meets(other.quantity)
        ):
            why = f"The claim also gives it as “{other.quantity.quoted(claim.text)}”."
            quantity = each.quantity
            return Flaw(RULE["stated_twice"], quantity.start, quantity.end, why, signals=("same_claim",))
    return None


def _allowed(quantity: Quantity, other: Stated) -> bool:
    bound = _bound(other)
    return quantity.within(bound) and quantity.meets(bound)


def _bound(stated: Stated) -> Quantity:
    """What a count allows: a claim to four arms has room for five."""
    quantity = stated.quantity
    if stated.counted and quantity.value and stated.after and PER not in stated.after:
        return replace(quantity, high=inf)
    return replace(quantity, low_open=False, high_open=False)


def is_of_same(each: Stated, other: Stated) -> bool:
    """Whether the words around two quantities say that they are quantities of the same."""
    if common(each.quantity.unit, other.quantity.unit) is None or not _alike_behind(each, other):
        return False
    if not each.key:
        return each.quantity.unit.dimension in PERCENT and bool(each.after) and each.after == other.after
    near = set(other.near[-len(each.key) - _BETWEEN :])
    if not near.issuperset(each.key) or not set(each.key).issuperset(other.near[-min(2, len(each.key)) :]):
        return False
    key = set(each.key)
    if not key.issuperset(_TELLING_APART.intersection(other.near[-_NEXT:])):
        return False
    measured = next((word for word in reversed(other.near) if word in MEASURES), None)
    return measured is None or measured in key


def _alike_behind(each: Stated, other: Stated) -> bool:
    if each.counted:
        if not each.after and not other.after:
            return each.key[-1:] == other.near[-1:]
        return bool(each.after and other.after) and each.after[0] in other.after
    return not each.after or each.after[:_ALIKE] == other.after[:_ALIKE]
