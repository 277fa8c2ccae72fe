"""Texts that make a regular expression slow, derived from the expression, and how its time grows on them.

Every repeat is pumped: what leads to it, then its body thousands of times, then a character that matches
nothing. If starts are tried everywhere (search), what leads to it is repeated as well.
"""

import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, product
from math import inf
from re import Pattern
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

BREAK: Final = "\x01"
PROBES: Final = " \n\u3000\u2003\xa0\taz1A,;.:()[]-/'\"%°é—"
"""Characters that stand for the members of a class."""
FILLERS: Final = (
    " ",
    "\n",
    "\u3000",
    "a",
    "a ",
    "1",
    "1 ",
    "1,",
    "a-",
    "(",
    ", ",
    "the ",
    ". A ",
    "claim 1 ",
)
"""What every expression is pumped with, whatever it says."""
SMALLEST: Final = 1_000
LARGEST: Final = 64_000
MAX_GROWTH: Final = 3.0
"""Doubling a text doubles the time of a linear expression and quadruples that of a quadratic one."""
FLOOR_SECONDS: Final = 0.1
"""Times below this are not judged: they are noise, or do not matter at the size of the longest claim."""
_GIVEN_UP_SECONDS = 1.0
_MEASURABLE_SECONDS = 0.004
_SURELY_LINEAR = 2.5
_VARIANTS = 4
_REPEATS = frozenset({codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT})
_FEW = 16
"""A repeat of at most so many characters is no pump."""

Run = Callable[[str], object]


def attacks(pattern: str, flags: int, *, searched: bool) -> Iterator[tuple[str, str]]:
    """(head, pump) for texts that are head + pump * n + BREAK."""
    seen: set[tuple[str, str]] = set()
    for head, pump in _pumps(parser.parse(pattern, flags), [""]):
        pairs = [(head, pump), ("", pump), ("", head + pump), ("", head)] if searched else [(head, pump)]
        for pair in pairs:
            if pair[1] and pair not in seen:
                seen.add(pair)
                yield pair
    for filler in FILLERS:
        if ("", filler) not in seen:
            yield "", filler


def _pumps(sequence: Iterable[Any], heads: list[str]) -> Iterator[tuple[str, str]]:
    """What leads to each repeat of a sequence, with each way to pump it."""
    for operation, argument in sequence:
        yield from _inner(operation, argument, heads)
        heads = _joined(heads, _samples(operation, argument))


def _inner(operation: Any, argument: Any, heads: list[str]) -> Iterator[tuple[str, str]]:
    if operation in _REPEATS:
        _, most, body = argument
        if most > _FEW:
            bodies = [body for body in _sequence_samples(body) if body]
            yield from product(heads[:_VARIANTS], bodies)
        yield from _pumps(body, heads)
    elif operation is codes.BRANCH:
        for branch in argument[1]:
            yield from _pumps(branch, heads)
    elif operation is codes.SUBPATTERN:
        yield from _pumps(argument[-1], heads)
    elif operation is codes.ATOMIC_GROUP:
        yield from _pumps(argument, heads)
    elif operation in (codes.ASSERT, codes.ASSERT_NOT):
        yield from _pumps(argument[1], heads)


def _sequence_samples(sequence: Iterable[Any]) -> list[str]:
    found = [""]
    for operation, argument in sequence:
        found = _joined(found, _samples(operation, argument))
    return found


def _joined(heads: Sequence[str], tails: Sequence[str]) -> list[str]:
    """Each tail behind some head and each head before some tail, but not every pair."""
    count = max(len(heads), len(tails))
    pairs = [(heads[at % len(heads)], tails[at % len(tails)]) for at in range(min(count, 4 * _VARIANTS))]
    return list(dict.fromkeys(head + tail for head, tail in pairs))


def _samples(operation: Any, argument: Any) -> list[str]:
    """Some short texts that a part of an expression matches."""
    if operation is codes.LITERAL:
        return [chr(argument)]
    if operation is codes.NOT_LITERAL:
        return [each for each in PROBES if ord(each) != argument][:_VARIANTS]
    if operation is codes.ANY:
        return ["a", " "]
    if operation is codes.IN:
        return _members(argument)
    if operation is codes.BRANCH:
        return list(dict.fromkeys(each for branch in argument[1] for each in _sequence_samples(branch)[:2]))
    if operation in _REPEATS:
        least, _, body = argument
        once = _sequence_samples(body)
        return [each * max(1, min(least, 400)) for each in once] + ([""] if least == 0 else [])
    if operation is codes.SUBPATTERN:
        return _sequence_samples(argument[-1])
    if operation is codes.ATOMIC_GROUP:
        return _sequence_samples(argument)
    return [""]


def _members(argument: Sequence[Any]) -> list[str]:
    negated = argument[0][0] is codes.NEGATE
    items = argument[1:] if negated else argument
    found = [each for each in PROBES if any(_holds(item, ord(each)) for item in items) is not negated]
    if not negated:
        found += [chr(value) for code, value in items if code is codes.LITERAL]
        found += [chr(value[0]) for code, value in items if code is codes.RANGE]
    spread = found[:: max(1, len(found) // _VARIANTS)]
    return list(dict.fromkeys(islice(spread, _VARIANTS))) or [""]


_CATEGORIES: Final[dict[Any, Callable[[str], bool]]] = {
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda each: not each.isspace(),
    codes.CATEGORY_DIGIT: str.isdecimal,
    codes.CATEGORY_NOT_DIGIT: lambda each: not each.isdecimal(),
    codes.CATEGORY_WORD: lambda each: each.isalnum() or each == "_",
    codes.CATEGORY_NOT_WORD: lambda each: not (each.isalnum() or each == "_"),
}


def _holds(item: tuple[Any, Any], character: int) -> bool:
    code, value = item
    if code is codes.LITERAL:
        return bool(value == character)
    if code is codes.RANGE:
        return bool(value[0] <= character <= value[1])
    return _CATEGORIES[value](chr(character))


def run_of(pattern: Pattern[Any], *, searched: bool) -> Run:
    """Tries the pattern on a text: everywhere, or at its beginning only."""

    def run(text: str) -> object:
        given: Any = text.encode() if isinstance(pattern.pattern, bytes) else text
        if not searched:
            return pattern.match(given), pattern.fullmatch(given)
        return sum(1 for _ in pattern.finditer(given))

    return run


def slow_growth(run: Run, head: str, pump: str) -> str | None:
    """How the time grows if that is faster than linear, or None. Stops as soon as it is certain."""
    times: list[float] = []
    size = SMALLEST
    while size <= LARGEST:
        text = _text(head, pump, size)
        times.append(_seconds(run, text))
        if times[-1] == inf:
            return f"stuck at {size} of {head[-40:]!a} + {pump[:60]!a} * n"
        # Even if it were quadratic it would stay below the floor.
        if times[-1] * (LARGEST / size) ** 2 < FLOOR_SECONDS:
            return None
        if len(times) > 1 and times[-1] > _MEASURABLE_SECONDS:
            if times[-1] > MAX_GROWTH * times[-2]:
                before = min(_seconds(run, _text(head, pump, size // 2)) for _ in range(2))
                after = min(times[-1], _seconds(run, text), _seconds(run, text))
                if after > MAX_GROWTH * before:
                    return f"{before:.4f} → {after:.4f} s at {size} of {head[-40:]!a} + {pump[:60]!a} * n"
            elif len(times) > 2 and max(times[-1] / times[-2], times[-2] / times[-3]) < _SURELY_LINEAR:
                return None
        size *= 2
    return None


def _text(head: str, pump: str, size: int) -> str:
    return f"{head}{pump * (size // len(pump))}{BREAK}"


def _seconds(run: Run, text: str) -> float:
    """Processor time of the run; infinite if it takes longer than any linear one could."""
    began = time.thread_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, _GIVEN_UP_SECONDS)
    try:
        run(text)
    except _TooLongError:
        return inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - began


class _TooLongError(Exception):
    """A run was given up."""


def _give_up(_signal: int, _frame: object) -> None:
    raise _TooLongError


@contextmanager
def given_up_when_stuck() -> Iterator[None]:
    """While this lasts, runs that would not end are stopped: expressions look for signals now and then."""
    before = signal.signal(signal.SIGVTALRM, _give_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)
