"""What an endpoint's slots and breaker learn from the outcomes of its examinations. Pure."""

import random
from collections.abc import Sequence
from datetime import datetime

from ace.expert.client.handling import HANDLING, Blame, handling_of
from ace.expert.pacing import breaker, slots
from ace.types.endpoint_state import BUCKETS, Breaker, EndpointState, ExaminationOutcome


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

    `in_flight` is how many claims are leased towards the endpoint now, `waiting` how many of them no worker
    has taken up yet. Slots are not raised unless all are in use and workers keep up with them.
    """
    used = in_flight + len(outcomes)
    busy = used >= int(state.slots) and 2 * waiting <= in_flight
    for outcome in outcomes:
        _count(state, outcome)
        if outcome.error is not None and outcome.error not in HANDLING:
            continue  # the endpoint was not asked
        blame = handling_of(outcome.error).blame if outcome.error and not outcome.own else None
        if blame is Blame.OPERATOR:
            breaker.open_for_operator(state, now, rng)
        elif blame in {Blame.ENDPOINT, Blame.ANSWER} or (blame is Blame.LOAD and _cannot_shrink(state)):
            breaker.count_fault(state, outcome, now, rng)
        elif blame is Blame.LOAD:
            slots.shrink(state, outcome, used, now)
        else:
            if breaker.closed_by_answer(state, now):
                slots.start_over(state, now)
            if outcome.error is None and busy:
                slots.grow(state, outcome)
        if outcome.error in {None, "timeout"}:
            slots.measure(state, outcome, now)
    state.slots = min(state.slots, state.ceiling)


def _cannot_shrink(state: EndpointState) -> bool:
    """Whether fewer slots are no answer to a refusal: there is only one, or the endpoint is on trial."""
    return state.slots <= 1 or state.breaker is not Breaker.CLOSED


def _count(state: EndpointState, outcome: ExaminationOutcome) -> None:
    if outcome.error is not None:
        state.faults[outcome.error] = state.faults.get(outcome.error, 0) + 1
        state.last_fault, state.last_fault_at = outcome.error, outcome.at
        return
    state.answers += 1
    state.seconds_sum += outcome.seconds
    bucket = next((i for i, bound in enumerate(BUCKETS) if outcome.seconds <= bound), len(BUCKETS))
    state.seconds_buckets[bucket] += 1
