"""When to ask the expert again: after a short wait within the examination, or much later.

Short retries (tenacity) cure a momentary fault and stay within a budget of seconds. A fault that outlasts
them becomes a due time in the database, so that no message waits in a worker.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Final

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt
from tenacity.stop import stop_base

from ace.errors import ExpertTransient
from ace.expert.client.handling import MAX_EXAMINATIONS, handling_of

FIRST_WAIT_SECONDS: Final = 5.0
MAX_WAIT_SECONDS: Final = 600.0
MAX_RETRY_AFTER_SECONDS: Final = 3_600.0
SHORT_WAIT_SECONDS: Final = 0.5


def short_retries(
    *,
    attempts: int,
    budget_seconds: float,
    rng: random.Random,
    sleep: Callable[[float], None],
    changed: Callable[[], bool] = lambda: False,
) -> Retrying:
    """A tenacity policy: full jitter, and a server's Retry-After if the budget allows it.

    `changed` says whether the next attempt asks a different question: that is worth a try whatever the fault
    was, and needs no wait. Raises the last error itself when the attempts or the budget are used up.
    """

    def wait(state: RetryCallState) -> float:
        if changed():
            return 0.0
        ceiling = SHORT_WAIT_SECONDS * 2.0 ** (state.attempt_number - 1)
        return max(rng.uniform(0.0, ceiling), _retry_after(state) or 0.0)

    return Retrying(
        retry=retry_if_exception(lambda error: changed() or _curable_at_once(error)),
        stop=stop_after_attempt(attempts) | _StopOverBudget(budget_seconds),
        wait=wait,
        sleep=sleep,
        reraise=True,
    )


class _StopOverBudget(stop_base):
    """Stops if the next wait would end after the budget. The waits count in full, so that it also works with
    the sleep of a test, which returns at once."""

    def __init__(self, budget_seconds: float) -> None:
        self._budget_seconds = budget_seconds

    def __call__(self, retry_state: RetryCallState) -> bool:
        spent = max(retry_state.seconds_since_start or 0.0, retry_state.idle_for)
        return spent + retry_state.upcoming_sleep > self._budget_seconds


def due_in(
    attempt: int,
    retry_after: float | None,
    *,
    rng: random.Random,
    max_examinations: int = MAX_EXAMINATIONS,
) -> float | None:
    """Seconds until the next examination after `attempt` failed ones; None if no more are allowed.

    5 s, doubling to 10 min, the upper half of it jitter; never sooner than the server asked, up to an hour.
    """
    if attempt >= max_examinations:
        return None
    ceiling = min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** min(attempt - 1, 30))
    wait = ceiling / 2 + rng.uniform(0.0, ceiling / 2)
    if retry_after is None:
        return wait
    asked = min(retry_after, MAX_RETRY_AFTER_SECONDS)
    return max(wait, asked + rng.uniform(0.0, asked / 10))


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, 10.2.3); None if it is missing or unreadable.

    `now` has a time zone; a date in the past asks for no wait.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            date = parsedate_to_datetime(value)
        except (ValueError, OverflowError):
            return None
        if date.tzinfo is None:
            return None
        seconds = (date - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _curable_at_once(error: BaseException) -> bool:
    return isinstance(error, ExpertTransient) and handling_of(error.kind).short_retry


def _retry_after(state: RetryCallState) -> float | None:
    error = state.outcome.exception() if state.outcome is not None else None
    return error.retry_after if isinstance(error, ExpertTransient) else None
