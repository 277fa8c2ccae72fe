"""The texts a claim stands on: its own and its nearest ancestors', for checks that compare them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar, cast
from weakref import finalize

from ace.claims.model import Claim
from ace.claims.reading import Reading

MAX_ANCESTORS = 24
"""Ancestors compared with, nearest first: keeps the work linear in a set where each claim depends on all."""


MAX_STATEMENTS = 60
"""Statements of one kind read in one claim, from its beginning: keeps the work linear in its length."""


def nearest_ancestors(reading: Reading, claim: Claim) -> tuple[Claim, ...]:
    """The existing claims whose limitations every path inherits: single parents only, nearest first.

    If a claim may depend on several, what one of them says need not hold for it.
    """
    found: list[Claim] = []
    seen = {claim.number}
    step: Claim | None = claim
    while step is not None and len(step.parents) == 1 and len(found) < MAX_ANCESTORS:
        number = step.parents[0]
        step = None if number in seen else reading.claims.get(number)
        seen.add(number)
        if step is not None:
            found.append(step)
    return tuple(found)


_Read = TypeVar("_Read", bound=Callable[..., Any])
_FORGET: list[Callable[[], None]] = []
_MAX_KEPT = 1024


def kept_with_set(read: _Read) -> _Read:
    """What the function reads in a text, kept until a set is done with (`forget_after`): a claim is compared
    with each of those below it, and nothing of it may stay in a process that goes on to other sets."""
    cached = lru_cache(maxsize=_MAX_KEPT)(read)
    _FORGET.append(cached.cache_clear)
    return cast(_Read, cached)


def forget_after(reading: Reading) -> None:
    """Empties what `kept_with_set` keeps as soon as the reading is gone."""
    if forget_after not in reading.kept:
        reading.kept[forget_after] = True
        finalize(reading, _forget).atexit = False


def _forget() -> None:
    for forget in _FORGET:
        forget()
