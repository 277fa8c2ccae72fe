"""How much an endpoint of the expert is given to do: slots that learn, and a breaker. Pure.

Slots: one more for each answer at first, then one more for each round of answers, and only while all
are in use; half of them after a refusal (429), a tenth where the refusal is one that was met before;
three in ten when answers take three times as long as they did at best (after TCP Reno and Vegas).

Breaker: closed; open after a few faults of the endpoint in a row, for a tenth of the time that it has
been away; then half open, with one claim on its way, whose outcome closes it or opens it again.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from ace.expert.client.handling import Blame, handling_of
from ace.types.endpoint_state import BUCKETS, FIRST_SLOTS, Breaker, EndpointState, ExaminationOutcome

FAULTS_IN_A_ROW: Final = 5  # open the breaker
LEAST_OPEN_SECONDS: Final = 1.0
MOST_OPEN_SECONDS: Final = 60.0
OPEN_SHARE: Final = 0.1  # of the time that it has been away: so it is missed for no longer than that
OPERATOR_SECONDS: Final = 300.0
MOST_ASKED_SECONDS: Final = 600.0  # of a Retry-After that are waited for

NEW_CEILING: Final = 0.5  # what is kept of the slots after a refusal
KNOWN_CEILING: Final = 0.9  # … where it came at about the slots of the one before
NEARLY: Final = 0.8  # about: the first one comes late, when slots were being doubled
SLOW_STEP: Final = 1 / 200  # most of a slot that an answer adds just below that
TOO_SLOW: Final = 0.7
SLOW_TIMES: Final = 3.0  # the best mean time of an answer
MEASURED: Final = 50  # answers that a mean is taken over
FORGET: Final = 0.001  # of the way from the best mean to the present one, an answer


def learn(
    state: EndpointState,
    outcomes: Sequence[ExaminationOutcome],
    *,
    in_flight: int,
    waiting: int,
    now: datetime,
    rng: random.Random,
) -> None:
    """Takes outcomes into account, oldest first.

    `in_flight` is what is leased towards the endpoint now, `waiting` how much of it no worker has
    taken up yet. Slots that are not all in use, or for which there are no workers, teach nothing.
    """
    used = in_flight + len(outcomes)
    busy = used >= int(state.slots) and 2 * waiting <= in_flight
    for outcome in outcomes:
        _count(state, outcome)
        blame = handling_of(outcome.error).blame if outcome.error else None
        if blame is Blame.OPERATOR:
            _open(state, now, OPERATOR_SECONDS * rng.uniform(0.9, 1.1))
        elif blame is Blame.ENDPOINT or (blame is Blame.LOAD and _cornered(state)):
            _fault(state, outcome, now, rng)
        elif blame is Blame.LOAD:
            state.in_a_row = 0
            # What was in flight when it refused is known only about; far fewer than the slots tell
            # that others use it too.
            _refusal(state, outcome, state.slots if 2 * used >= state.slots else float(used), now)
        else:
            _sign_of_life(state, now)
            if outcome.error is None and busy and _given(outcome) >= state.lowered_at:
                _raise(state)
        if outcome.error in {None, "timeout"}:
            _time(state, outcome, now)
    state.slots = min(state.slots, state.ceiling)


def _count(state: EndpointState, outcome: ExaminationOutcome) -> None:
    if outcome.error is not None:
        state.faults[outcome.error] = state.faults.get(outcome.error, 0) + 1
        state.last_fault, state.last_fault_at = outcome.error, outcome.at
        return
    state.answers += 1
    state.seconds_sum += outcome.seconds
    place = next((i for i, bound in enumerate(BUCKETS) if outcome.seconds <= bound), len(BUCKETS))
    state.seconds_buckets[place] += 1


# The breaker


def _sign_of_life(state: EndpointState, now: datetime) -> None:
    state.in_a_row = 0
    if state.breaker is Breaker.CLOSED:
        return
    state.breaker, state.since = Breaker.CLOSED, now
    state.until = state.probe = None
    # Everything that waited would fall upon a server that has only just come back.
    state.slots, state.doubling = min(state.slots, FIRST_SLOTS), True
    state.lowered_at, state.measured = now, 0


def _cornered(state: EndpointState) -> bool:
    """Whether a refusal cannot be answered by fewer slots: there is only one, or it is on trial."""
    return state.slots <= 1 or state.breaker is not Breaker.CLOSED


def _fault(state: EndpointState, outcome: ExaminationOutcome, now: datetime, rng: random.Random) -> None:
    if state.breaker is Breaker.CLOSED:
        state.in_a_row += 1
        if state.in_a_row < FAULTS_IN_A_ROW:
            return
    elif outcome.token != state.probe:
        return  # it was on its way before the breaker opened, which it knows of already
    away = (now - state.since).total_seconds() if state.breaker is not Breaker.CLOSED else 0.0
    seconds = min(max(OPEN_SHARE * away, LEAST_OPEN_SECONDS), MOST_OPEN_SECONDS)
    asked = min(outcome.retry_after or 0.0, MOST_ASKED_SECONDS)
    _open(state, now, max(seconds * rng.uniform(0.5, 1.0), asked))


def _open(state: EndpointState, now: datetime, seconds: float) -> None:
    if state.breaker is Breaker.CLOSED:
        state.since = now
    state.breaker, state.probe, state.in_a_row = Breaker.OPEN, None, 0
    state.until = max(state.until or now, now + timedelta(seconds=seconds))


# The slots


def _raise(state: EndpointState) -> None:
    if state.refused_at is not None and state.slots > 1.1 * state.refused_at:
        state.refused_at = None  # that bound is gone
    known = state.refused_at is not None and state.slots >= state.refused_at - 1
    state.doubling = state.doubling and not known and state.slots < state.ceiling
    step = 1.0 if state.doubling else 1.0 / state.slots
    state.slots = min(state.slots + (min(step / 10, SLOW_STEP) if known else step), state.ceiling)


def _refusal(state: EndpointState, outcome: ExaminationOutcome, used: float, now: datetime) -> None:
    if _given(outcome) < state.lowered_at:
        return  # it was on its way already
    known = state.refused_at is not None and used >= NEARLY * state.refused_at
    state.refused_at = used
    _lower(state, max(1.0, used * (KNOWN_CEILING if known else NEW_CEILING)), now)


def _time(state: EndpointState, outcome: ExaminationOutcome, now: datetime) -> None:
    """A mean over enough answers: that of one depends on the claim more than on the load."""
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
            _lower(state, max(1.0, state.slots * TOO_SLOW), now)
        else:  # with nothing else in hand: that is how long it takes now
            state.best_latency = state.latency
    else:
        state.best_latency = best + FORGET * (state.latency - best)


def _lower(state: EndpointState, slots: float, now: datetime) -> None:
    state.slots, state.doubling, state.lowered_at = slots, False, now


def _given(outcome: ExaminationOutcome) -> datetime:
    return outcome.leased_at or outcome.at - timedelta(seconds=outcome.seconds)
