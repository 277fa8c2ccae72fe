"""The texts a claim stands on: its own and its nearest ancestors', for checks that compare them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

from ace.claims.model import Claim
from ace.claims.reading import Reading

MAX_ANCESTORS = 24
"""Ancestors compared with, nearest first: keeps the work linear in a set where each claim depends on all."""


MAX_STATEMENTS = 60
"""Statements of one kind read in one claim, from its beginning: keeps the work linear in its length."""


_Given = TypeVarTuple("_Given")
_Made = TypeVar("_Made")


def kept_with_set(read: Callable[[Reading, *_Given], _Made]) -> Callable[[Reading, *_Given], _Made]:
    """The function, whose results are kept with the reading that is its first argument.

    A claim is compared with each claim that depends on it, and would be read anew for each of them. The
    other arguments are hashable.
    """

    @wraps(read)
    def kept(reading: Reading, /, *given: *_Given) -> _Made:
        return reading.kept(read, *given)

    return kept


def nearest_ancestors(reading: Reading, claim: Claim) -> tuple[Claim, ...]:
    """The existing claims whose limitations every path inherits: single parents only, nearest first.

    Where a claim may depend on several, what one of them says need not hold for it.
    """
    return _nearest_ancestors(reading, claim.number)


@kept_with_set
def _nearest_ancestors(reading: Reading, number: int) -> tuple[Claim, ...]:
    found: list[Claim] = []
    seen = {number}
    step: Claim | None = reading.claims[number]
    while step is not None and len(step.parents) == 1 and len(found) < MAX_ANCESTORS:
        number = step.parents[0]
        step = None if number in seen else reading.claims.get(number)
        seen.add(number)
        if step is not None:
            found.append(step)
    return tuple(found)
