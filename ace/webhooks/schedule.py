"""What follows from an answer: done, another attempt and when, a pause for the receiver, or the end of it.

The schedule is the example of Standard Webhooks 1.0.0: ten attempts over three days.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

_MINUTE, _HOUR = 60, 3_600
SCHEDULE_SECONDS: Final = (
    *(5, 5 * _MINUTE, 30 * _MINUTE),
    *(2 * _HOUR, 5 * _HOUR, 10 * _HOUR, 14 * _HOUR, 20 * _HOUR, 24 * _HOUR),
)
"""The pauses between attempts: one fewer than there are attempts."""

MAX_RETRY_AFTER_SECONDS: Final = 24 * _HOUR
JITTER: Final = 0.2
"""A pause is up to this much longer than in the schedule, so that receivers are not met all at once."""

_THROTTLED: Final = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one request: a status, or the kind of fault that left none."""

    status: int | None = None
    fault: str | None = None
    retry_after: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Next:
    """What is to be done after an answer."""

    accepted: bool = False
    delay_seconds: float | None = None  # until the next attempt; None if there is none
    gone: bool = False  # the receiver wants nothing any more
    pause_seconds: float | None = None  # before anything else is sent to this webhook


def next_of(answer: Answer, tried: int, *, schedule: Sequence[float], rng: random.Random) -> Next:
    """What follows from the answer to an attempt before which there were `tried`."""
    if answer.status is not None and 200 <= answer.status < 300:
        return Next(accepted=True)
    if answer.status == HTTPStatus.GONE:
        return Next(gone=True)
    asked = None if answer.retry_after is None else min(answer.retry_after, MAX_RETRY_AFTER_SECONDS)
    troubled = answer.status is None or answer.status in _THROTTLED
    pause = asked if asked is not None else _jittered(schedule[0], rng) if troubled and schedule else None
    if tried >= len(schedule):
        return Next(pause_seconds=pause)
    return Next(
        delay_seconds=max(_jittered(schedule[tried], rng), _jittered(asked or 0.0, rng)), pause_seconds=pause
    )


def pauses_of(listed: str) -> tuple[float, ...]:
    """Pauses from a list with commas, in seconds. Raises ValueError."""
    pauses = tuple(float(one) for one in listed.split(",") if one.strip())
    if not all(0 <= pause <= MAX_RETRY_AFTER_SECONDS for pause in pauses):
        raise ValueError(f"pauses are 0 to {MAX_RETRY_AFTER_SECONDS} seconds")
    return pauses


def _jittered(seconds: float, rng: random.Random) -> float:
    return seconds * (1 + rng.uniform(0, JITTER))
