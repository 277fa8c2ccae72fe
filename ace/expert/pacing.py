"""How much an endpoint of the expert is given to do: slots that learn, and a breaker. Pure.

Slots: one more for each answer at first, then one more for each round of answers, and only while all
are in use; half of them after a refusal (429), a tenth where the refusal is one that was met before;
three in ten when answers take three times as long as they did at best (after TCP Reno and Vegas).

Breaker: closed; open after a few faults of the endpoint in a row, for a tenth of the time that it has
been away; then half open, with one claim on its way, whose outcome closes it or opens it again.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from ace.expert.handling import Blame, handling_of

FIRST_SLOTS: Final = 8  # where the endpoint's own bound is not lower
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

BUCKETS: Final = (
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    20.0,
    40.0,
    80.0,
    160.0,
)  # seconds; one more for the rest


class Breaker(StrEnum):
    """Whether claims go to an endpoint."""

    CLOSED = "closed"  # as many as it has slots
    OPEN = "open"  # none until its time is over -> half_open, when the dispatcher has a claim to try
    HALF_OPEN = "half_open"  # one; any answer -> closed, a fault of that one -> open


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one examination: `error` is the kind of its fault, None where there was none."""

    token: UUID  # the lease that it was made under
    error: str | None
    seconds: float
    at: datetime
    retry_after: float | None = None
    leased_at: datetime | None = None  # when the dispatcher gave it a slot, where the lease still tells


@dataclass(slots=True)
class Standing:
    """Where an endpoint stands; the fields are the columns of its row."""

    name: str
    weight: float
    most: int  # slots, by the settings
    max_concurrent: int | None  # by the server's own word, where it gave it
    slots: float
    doubling: bool  # still looking for its first bound
    lowered_at: datetime
    since: datetime  # when the breaker last closed, or ceased to be closed
    breaker: Breaker = Breaker.CLOSED
    refused_at: float | None = None  # slots in use when it last refused
    latency: float | None = None  # mean of the last answers, seconds
    best_latency: float | None = None
    measured: int = 0  # answers since the mean was last acted on
    until: datetime | None = None  # open that long
    in_a_row: int = 0  # faults of the endpoint
    probe: UUID | None = None  # the lease of the claim that tries it
    last_fault: str | None = None
    last_fault_at: datetime | None = None
    answers: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    seconds_sum: float = 0.0
    seconds_buckets: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))

    @property
    def ceiling(self) -> int:
        """What the slots never pass."""
        return max(1, min(self.most, self.max_concurrent or self.most))


def learn(
    standing: Standing,
    outcomes: Sequence[Outcome],
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
    busy = used >= int(standing.slots) and 2 * waiting <= in_flight
    for outcome in outcomes:
        _count(standing, outcome)
        blame = handling_of(outcome.error).blame if outcome.error else None
        if blame is Blame.OPERATOR:
            _open(standing, now, OPERATOR_SECONDS * rng.uniform(0.9, 1.1))
        elif blame is Blame.ENDPOINT or (blame is Blame.LOAD and _cornered(standing)):
            _fault(standing, outcome, now, rng)
        elif blame is Blame.LOAD:
            standing.in_a_row = 0
            # What was in flight when it refused is known only about; far fewer than the slots tell
            # that others use it too.
            _refusal(standing, outcome, standing.slots if 2 * used >= standing.slots else float(used), now)
        else:
            _sign_of_life(standing, now)
            if outcome.error is None and busy and _given(outcome) >= standing.lowered_at:
                _raise(standing)
        if outcome.error in {None, "timeout"}:
            _time(standing, outcome, now)
    standing.slots = min(standing.slots, standing.ceiling)


def _count(standing: Standing, outcome: Outcome) -> None:
    if outcome.error is not None:
        standing.faults[outcome.error] = standing.faults.get(outcome.error, 0) + 1
        standing.last_fault, standing.last_fault_at = outcome.error, outcome.at
        return
    standing.answers += 1
    standing.seconds_sum += outcome.seconds
    place = next((i for i, bound in enumerate(BUCKETS) if outcome.seconds <= bound), len(BUCKETS))
    standing.seconds_buckets[place] += 1


# The breaker


def _sign_of_life(standing: Standing, now: datetime) -> None:
    standing.in_a_row = 0
    if standing.breaker is Breaker.CLOSED:
        return
    standing.breaker, standing.since = Breaker.CLOSED, now
    standing.until = standing.probe = None
    # Everything that waited would fall upon a server that has only just come back.
    standing.slots, standing.doubling = min(standing.slots, FIRST_SLOTS), True
    standing.lowered_at, standing.measured = now, 0


def _cornered(standing: Standing) -> bool:
    """Whether a refusal cannot be answered by fewer slots: there is only one, or it is on trial."""
    return standing.slots <= 1 or standing.breaker is not Breaker.CLOSED


def _fault(standing: Standing, outcome: Outcome, now: datetime, rng: random.Random) -> None:
    if standing.breaker is Breaker.CLOSED:
        standing.in_a_row += 1
        if standing.in_a_row < FAULTS_IN_A_ROW:
            return
    elif outcome.token != standing.probe:
        return  # it was on its way before the breaker opened, which it knows of already
    away = (now - standing.since).total_seconds() if standing.breaker is not Breaker.CLOSED else 0.0
    seconds = min(max(OPEN_SHARE * away, LEAST_OPEN_SECONDS), MOST_OPEN_SECONDS)
    asked = min(outcome.retry_after or 0.0, MOST_ASKED_SECONDS)
    _open(standing, now, max(seconds * rng.uniform(0.5, 1.0), asked))


def _open(standing: Standing, now: datetime, seconds: float) -> None:
    if standing.breaker is Breaker.CLOSED:
        standing.since = now
    standing.breaker, standing.probe, standing.in_a_row = Breaker.OPEN, None, 0
    standing.until = max(standing.until or now, now + timedelta(seconds=seconds))


# The slots


def _raise(standing: Standing) -> None:
    if standing.refused_at is not None and standing.slots > 1.1 * standing.refused_at:
        standing.refused_at = None  # that bound is gone
    known = standing.refused_at is not None and standing.slots >= standing.refused_at - 1
    standing.doubling = standing.doubling and not known and standing.slots < standing.ceiling
    step = 1.0 if standing.doubling else 1.0 / standing.slots
    standing.slots = min(standing.slots + (min(step / 10, SLOW_STEP) if known else step), standing.ceiling)


def _refusal(standing: Standing, outcome: Outcome, used: float, now: datetime) -> None:
    if _given(outcome) < standing.lowered_at:
        return  # it was on its way already
    known = standing.refused_at is not None and used >= NEARLY * standing.refused_at
    standing.refused_at = used
    _lower(standing, max(1.0, used * (KNOWN_CEILING if known else NEW_CEILING)), now)


def _time(standing: Standing, outcome: Outcome, now: datetime) -> None:
    """A mean over enough answers: that of one depends on the claim more than on the load."""
    standing.measured += 1
    if standing.latency is None:
        standing.latency = outcome.seconds
    standing.latency += (outcome.seconds - standing.latency) / min(standing.measured, MEASURED)
    if standing.measured < MEASURED:
        return
    best = standing.best_latency
    if best is None or standing.latency < best:
        standing.best_latency = standing.latency
    elif standing.latency > SLOW_TIMES * best:
        standing.measured = 0
        if standing.slots > 1:
            _lower(standing, max(1.0, standing.slots * TOO_SLOW), now)
        else:  # with nothing else in hand: that is how long it takes now
            standing.best_latency = standing.latency
    else:
        standing.best_latency = best + FORGET * (standing.latency - best)


def _lower(standing: Standing, slots: float, now: datetime) -> None:
    standing.slots, standing.doubling, standing.lowered_at = slots, False, now


def _given(outcome: Outcome) -> datetime:
    return outcome.leased_at or outcome.at - timedelta(seconds=outcome.seconds)
