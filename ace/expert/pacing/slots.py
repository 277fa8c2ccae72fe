"""How many claims an endpoint is given at once: slots that learn. Pure.

One slot more for each answer at first, then one more for each round of answers, and only while all are in
use; half of them after a refusal (429), nine tenths if it comes at about the slots of the previous one;
seven tenths when answers take three times as long as at best (after TCP Reno and Vegas).
"""

from datetime import datetime, timedelta
from typing import Final

from ace.types.endpoint_state import FIRST_SLOTS, EndpointState, ExaminationOutcome

NEW_CEILING: Final = 0.5  # what is kept of the slots after a refusal
KNOWN_CEILING: Final = 0.9  # … if it comes at about the slots of the previous one
NEARLY: Final = 0.8  # what "about" means: the first refusal comes late, when slots were being doubled
MAX_SLOW_STEP: Final = 1 / 200  # of a slot, which an answer adds just below a known bound
KEPT_WHEN_SLOW: Final = 0.7
SLOW_TIMES: Final = 3.0  # the best mean time of an answer
MEASURED: Final = 50  # answers that a mean is taken over
FORGET: Final = 0.001  # of the way from the best mean to the present one, for each answer


def grow(state: EndpointState, outcome: ExaminationOutcome) -> None:
    """Takes an answer into account that came while all slots were in use."""
    if _leased_at(outcome) < state.lowered_at:
        return
    if state.refused_at is not None and state.slots > 1.1 * state.refused_at:
        state.refused_at = None  # that bound is gone
    known = state.refused_at is not None and state.slots >= state.refused_at - 1
    state.doubling = state.doubling and not known and state.slots < state.ceiling
    step = 1.0 if state.doubling else 1.0 / state.slots
    state.slots = min(state.slots + (min(step / 10, MAX_SLOW_STEP) if known else step), state.ceiling)


def shrink(state: EndpointState, outcome: ExaminationOutcome, used: int, now: datetime) -> None:
    """Takes a refusal into account, with `used` slots in use."""
    state.in_a_row = 0
    if _leased_at(outcome) < state.lowered_at:
        return  # it was on its way already
    # `used` is an estimate. If it is far below the slots, others use the endpoint too.
    at = state.slots if 2 * used >= state.slots else float(used)
    known = state.refused_at is not None and at >= NEARLY * state.refused_at
    state.refused_at = at
    _lower(state, max(1.0, at * (KNOWN_CEILING if known else NEW_CEILING)), now)


def start_over(state: EndpointState, now: datetime) -> None:
    """After an outage: everything that waited would otherwise go to a server that has only just come back."""
    state.slots, state.doubling = min(state.slots, FIRST_SLOTS), True
    state.lowered_at, state.measured = now, 0


def measure(state: EndpointState, outcome: ExaminationOutcome, now: datetime) -> None:
    """Takes the time of an answer into account. The mean is over many answers, because the time of one
    depends on its claim more than on the load."""
    state.measured += 1
    if state.latency is None:
        state.latency = outcome.seconds
    state.latency += (outcome.seconds - state.latency) / min(state.measured, MEASURED)
    if state.measured < MEASURED:
        return
    best = state.best_latency
    if best is None or state.latency < best:
        state.best_latency = state.latency
    elif state.latency > SLOW_TIMES * best:
        state.measured = 0
        if state.slots > 1:
            _lower(state, max(1.0, state.slots * KEPT_WHEN_SLOW), now)
        else:  # with nothing else under way, that is how long an answer takes now
            state.best_latency = state.latency
    else:
        state.best_latency = best + FORGET * (state.latency - best)


def _lower(state: EndpointState, slots: float, now: datetime) -> None:
    state.slots, state.doubling, state.lowered_at = slots, False, now


def _leased_at(outcome: ExaminationOutcome) -> datetime:
    return outcome.leased_at or outcome.at - timedelta(seconds=outcome.seconds)
