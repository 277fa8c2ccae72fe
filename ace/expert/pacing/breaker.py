"""The circuit breaker of an endpoint: whether it is given claims at all. Pure.

Closed; open after a few faults of the endpoint in a row, for a tenth of the time that it has been away;
then half open, with one claim on its way, whose outcome closes the breaker or opens it again.
"""

import random
from datetime import datetime, timedelta
from typing import Final

from ace.types.endpoint_state import Breaker, EndpointState, ExaminationOutcome

FAULTS_IN_A_ROW: Final = 5  # open the breaker
MIN_OPEN_SECONDS: Final = 1.0
MAX_OPEN_SECONDS: Final = 60.0
OPEN_SHARE: Final = 0.1  # of the time that it has been away, so that its return is noticed soon enough
OPERATOR_SECONDS: Final = 300.0
MAX_RETRY_AFTER_SECONDS: Final = 600.0  # the longest that a Retry-After is obeyed


def closed_by_answer(state: EndpointState, now: datetime) -> bool:
    """Takes an answer into account. Returns whether it closed the breaker."""
    state.in_a_row = 0
    if state.breaker is Breaker.CLOSED:
        return False
    state.breaker, state.since = Breaker.CLOSED, now
    state.until = state.probe = None
    return True


def count_fault(state: EndpointState, outcome: ExaminationOutcome, now: datetime, rng: random.Random) -> None:
    """Takes a fault of the endpoint into account, which may open the breaker."""
    if state.breaker is Breaker.CLOSED:
        state.in_a_row += 1
        if state.in_a_row < FAULTS_IN_A_ROW:
            return
    elif outcome.token != state.probe:
        return  # it was on its way before the breaker opened
    away = (now - state.since).total_seconds() if state.breaker is not Breaker.CLOSED else 0.0
    seconds = min(max(OPEN_SHARE * away, MIN_OPEN_SECONDS), MAX_OPEN_SECONDS)
    retry_after = min(outcome.retry_after or 0.0, MAX_RETRY_AFTER_SECONDS)
    _open(state, now, max(seconds * rng.uniform(0.5, 1.0), retry_after))


def open_for_operator(state: EndpointState, now: datetime, rng: random.Random) -> None:
    """Opens the breaker for long: somebody has to correct a setting."""
    _open(state, now, OPERATOR_SECONDS * rng.uniform(0.9, 1.1))


def _open(state: EndpointState, now: datetime, seconds: float) -> None:
    if state.breaker is Breaker.CLOSED:
        state.since = now
    state.breaker, state.probe, state.in_a_row = Breaker.OPEN, None, 0
    state.until = max(state.until or now, now + timedelta(seconds=seconds))
