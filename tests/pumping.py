"""Texts that make a regular expression slow, derived from the expression, and how its time grows on them.

Every repeat is pumped: what leads to it, then its body thousands of times, then a character that matches
nothing, or one that the classes of the expression leave out. If starts are tried everywhere (search), what
leads to it is repeated as well.
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
from typing import Any, Final, NamedTuple

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
LARGEST: Final = 50_000
MAX_GROWTH: Final = 3.0
"""Doubling a text doubles the time of a linear expression and quadruples that of a quadratic one."""
FLOOR_SECONDS: Final = 0.1
"""Times below this are not judged: they are noise, or do not matter at the size of the longest claim."""
_GIVEN_UP_SECONDS = 0.5
_MEASURABLE_SECONDS = 0.002
_SURELY_LINEAR = 2.5
_ROUNDS = 5
"""What looks slow is measured so often again before it is called so: other work only adds time."""
_VARIANTS = 4
_REPEATS = frozenset({codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT})
_FEW = 16
"""A repeat of at most so many characters is no pump."""

Run = Callable[[str], object]


class Attack(NamedTuple):
    """Texts that are head + pump * n + tail."""

    head: str
    pump: str
    tail: str = BREAK

    def text(self, characters: int) -> str:
        """A text of about so many characters."""
        return f"{self.head}{self.pump * (characters // len(self.pump))}{self.tail}"

    def __str__(self) -> str:
        return f"{self.head[-40:]!a} + {self.pump[:60]!a} * n + {self.tail!a}"


def attacks(pattern: str, flags: int, *, searched: bool) -> Iterator[Attack]:
    """What may be slow for the pattern, each once."""
    parsed = parser.parse(pattern, flags)
    left_out = "".join(dict.fromkeys(_left_out(parsed)))
    tails = [BREAK, left_out + BREAK] if left_out else [BREAK]
    pairs = {("", filler): None for filler in FILLERS}
    for head, pump in _pumps(parsed, [""]):
        more = [(head, pump), ("", pump), ("", head + pump), ("", head)] if searched else [(head, pump)]
        pairs.update((pair, None) for pair in more if pair[1])
    return (Attack(head, pump, tail) for head, pump in pairs for tail in tails)


def samples(pattern: str, flags: int) -> list[str]:
    """Some short texts that the pattern matches."""
    return _sequence_samples(parser.parse(pattern, flags))


def _left_out(parsed: Any) -> Iterator[str]:
    """The characters that repeats of negated classes do not match: those that can end them."""
    for operation, argument in parsed:
        if operation in _REPEATS and argument[1] > _FEW:
            for inner, value in argument[2]:
                if inner is codes.NOT_LITERAL:
                    yield chr(value)
                elif inner is codes.ANY:
                    yield "\n"
                elif inner is codes.IN and value[0][0] is codes.NEGATE:
                    yield from (chr(each) for code, each in value[1:] if code is codes.LITERAL)
        for part in _parts(operation, argument):
            yield from _left_out(part)


def _parts(operation: Any, argument: Any) -> Sequence[Any]:
    """The sequences inside a part of an expression."""
    if operation in _REPEATS:
        return [argument[2]]
    if operation is codes.BRANCH:
        return list(argument[1])
    if operation is codes.SUBPATTERN:
        return [argument[-1]]
    if operation is codes.ATOMIC_GROUP:
        return [argument]
    return [argument[1]] if operation in (codes.ASSERT, codes.ASSERT_NOT) else []


def _pumps(sequence: Iterable[Any], heads: list[str]) -> Iterator[tuple[str, str]]:
    """What leads to each repeat of a sequence, with each way to pump it."""
    for operation, argument in sequence:
        yield from _inner(operation, argument, heads)
        heads = _joined(heads, _samples(operation, argument))


def _inner(operation: Any, argument: Any, heads: list[str]) -> Iterator[tuple[str, str]]:
    if operation in _REPEATS and argument[1] > _FEW:
        bodies = [body for body in _sequence_samples(argument[2]) if body]
        yield from product(heads[:_VARIANTS], bodies)
    for part in _parts(operation, argument):
        yield from _pumps(part, heads)


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
    if operation in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
        return _sequence_samples(_parts(operation, argument)[0])
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


def slow_growth(run: Run, attack: Attack) -> str | None:
    """How the time grows if that is faster than linear, or None. Stops as soon as it is certain."""
    times: list[float] = []
    size = SMALLEST
    while size <= LARGEST:
        text = attack.text(size)
        times.append(_seconds(run, text))
        if times[-1] == inf:
            return f"stuck at {size} of {attack}"
        # Even if it were quadratic it would stay below the floor.
        if times[-1] * (LARGEST / size) ** 2 < FLOOR_SECONDS:
            return None
        if len(times) > 1 and times[-1] > _MEASURABLE_SECONDS:
            if times[-1] > MAX_GROWTH * times[-2]:
                before = min(_seconds(run, attack.text(size // 2)) for _ in range(_ROUNDS))
                after = min(times[-1], *(_seconds(run, text) for _ in range(_ROUNDS)))
                if after > MAX_GROWTH * before and _grows_on(run, attack):
                    return f"{before:.4f} → {after:.4f} s at {size} of {attack}"
            elif len(times) > 2 and max(times[-1] / times[-2], times[-2] / times[-3]) < _SURELY_LINEAR:
                return None
        size *= 2
    return None


def _grows_on(run: Run, attack: Attack) -> bool:
    """Whether the largest text takes too long as well, and too much longer than half of it.

    A machine that stalls adds milliseconds to a small text, and what a bounded repeat costs a place grows
    until the text is longer than its bound.
    """
    before = min(_seconds(run, attack.text(LARGEST // 2)) for _ in range(_ROUNDS))
    after = min(_seconds(run, attack.text(LARGEST)) for _ in range(_ROUNDS))
    return after == inf or (after > FLOOR_SECONDS and after > MAX_GROWTH * before)


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
