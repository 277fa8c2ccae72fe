"""The texts a claim stands on: its own and its nearest ancestors', for checks that compare them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from typing import Any, TypeVar, cast

from ace.claims.model import Claim
from ace.claims.reading import Reading

MAX_ANCESTORS = 24
"""Ancestors compared with, nearest first: keeps the work linear in a set where each claim depends on all."""


MAX_STATEMENTS = 60
"""Statements of one kind read in one claim, from its beginning: keeps the work linear in its length."""


def nearest_ancestors(reading: Reading, claim: Claim) -> tuple[Claim, ...]:
    """The existing claims whose limitations every path inherits: single parents only, nearest first.

    Where a claim may depend on several, what one of them says need not hold for it.
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


class _Caches(dict[Callable[..., Any], Callable[..., Any]]):
    """Functions with the results that they have given so far."""

    def __missing__(self, read: Callable[..., Any]) -> Callable[..., Any]:
        self[read] = cached = cache(read)
        return cached


_CACHES: ContextVar[_Caches | None] = ContextVar("caches of the reading that is checked", default=None)


def kept_with_set(read: _Read) -> _Read:
    """The function, whose results are kept with the reading that `checking` names.

    A claim is compared with each claim that depends on it, and would be read anew for each of them. The
    arguments are positional and hashable. Outside `checking` nothing is kept.
    """

    @wraps(read)
    def kept(*arguments: Hashable) -> Any:
        caches = _CACHES.get()
        return read(*arguments) if caches is None else caches[read](*arguments)

    return cast(_Read, kept)


@contextmanager
def checking(reading: Reading) -> Iterator[None]:
    """While this lasts, functions that are `kept_with_set` keep their results with this reading."""
    token = _CACHES.set(reading.kept(_caches))
    try:
        yield
    finally:
        _CACHES.reset(token)


def _caches(_reading: Reading) -> _Caches:
    return _Caches()
