"""Which answers are worth another attempt, and how long to pause before it. Pure; the senders obey."""

import random
from typing import Final

from patent_ace_client.errors import ApiError, Unreachable

RETRIED: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_OWN_PAUSE_SECONDS: Final = 8.0
LONGEST_PAUSE_SECONDS: Final = 30.0  # however long the server asks for


def pause_seconds(attempt: int, retry_after: float | None, rng: random.Random) -> float:
    """The pause after attempt 0, 1 …: as long as the server asks, or exponential with jitter."""
    if retry_after is not None:
        return min(retry_after, LONGEST_PAUSE_SECONDS)
    seconds: float = min(FIRST_PAUSE_SECONDS * 2**attempt, LONGEST_OWN_PAUSE_SECONDS)
    return seconds * rng.uniform(0.5, 1)


def asked_seconds(retry_after: str | None) -> float | None:
    """The seconds of a `Retry-After` header; None for a date, which clocks that differ misread."""
    return float(retry_after) if retry_after and retry_after.isdecimal() else None


def is_passing(fault: ApiError) -> bool:
    """Whether another attempt may succeed: the API was not reached, or its answer is worth a retry."""
    return isinstance(fault, Unreachable) or fault.status in RETRIED
