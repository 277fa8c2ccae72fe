"""Slots and breaker: every state by every outcome, and what they come to in a simulated server."""

import heapq
import random
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import pytest

from ace.expert.client.handling import HANDLING, Blame
from ace.expert.pacing.breaker import FAULTS_IN_A_ROW, MAX_OPEN_SECONDS, OPERATOR_SECONDS
from ace.expert.pacing.learning import learn
from ace.expert.pacing.slots import MEASURED
from ace.types.endpoint_state import FIRST_SLOTS, Breaker, EndpointState, ExaminationOutcome

NOW: Final = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
PROBE, OTHER = UUID(int=1), UUID(int=2)
OF = {blame: next(kind for kind, row in HANDLING.items() if row.blame is blame) for blame in Blame}


def standing(
    breaker: Breaker = Breaker.CLOSED, *, slots: float = 8, most: int = 32, away: float = 0
) -> EndpointState:
    closed = breaker is Breaker.CLOSED
    return EndpointState(
        name="expert",
        weight=1,
        most=most,
        max_concurrent=None,
        slots=slots,
        doubling=False,
        lowered_at=NOW - timedelta(hours=1),
        since=NOW - timedelta(seconds=away),
        breaker=breaker,
        until=None if closed else NOW,
        probe=PROBE if breaker is Breaker.HALF_OPEN else None,
    )


def outcome(
    error: str | None = None,
    *,
    seconds: float = 0.5,
    token: UUID = OTHER,
    at: datetime = NOW,
    retry_after: float | None = None,
    own: bool = False,
) -> ExaminationOutcome:
    return ExaminationOutcome(token, error, seconds, at, retry_after, own=own)


def told(
    one: EndpointState,
    *outcomes: ExaminationOutcome,
    in_flight: int = 7,
    waiting: int = 0,
    now: datetime = NOW,
) -> EndpointState:
    learn(one, outcomes, in_flight=in_flight, waiting=waiting, now=now, rng=random.Random(1))
    return one


# state, what came, whether of the probe -> the state after it
TURNS: Final = {
    (Breaker.CLOSED, None, False): Breaker.CLOSED,
    (Breaker.CLOSED, Blame.ANSWER, False): Breaker.CLOSED,
    (Breaker.CLOSED, Blame.LOAD, False): Breaker.CLOSED,
    (Breaker.CLOSED, Blame.ENDPOINT, False): Breaker.CLOSED,  # one is not enough
    (Breaker.CLOSED, Blame.OPERATOR, False): Breaker.OPEN,
    (Breaker.OPEN, None, False): Breaker.CLOSED,  # it was on its way, and the server lives
    (Breaker.OPEN, Blame.ANSWER, False): Breaker.OPEN,
    (Breaker.OPEN, Blame.LOAD, False): Breaker.OPEN,
    (Breaker.OPEN, Blame.ENDPOINT, False): Breaker.OPEN,
    (Breaker.OPEN, Blame.OPERATOR, False): Breaker.OPEN,
    (Breaker.HALF_OPEN, None, False): Breaker.CLOSED,
    (Breaker.HALF_OPEN, None, True): Breaker.CLOSED,
    (Breaker.HALF_OPEN, Blame.ANSWER, False): Breaker.HALF_OPEN,
    (Breaker.HALF_OPEN, Blame.ANSWER, True): Breaker.OPEN,
    (Breaker.HALF_OPEN, Blame.LOAD, False): Breaker.HALF_OPEN,
    (Breaker.HALF_OPEN, Blame.LOAD, True): Breaker.OPEN,
    (Breaker.HALF_OPEN, Blame.ENDPOINT, False): Breaker.HALF_OPEN,  # it began before
    (Breaker.HALF_OPEN, Blame.ENDPOINT, True): Breaker.OPEN,
    (Breaker.HALF_OPEN, Blame.OPERATOR, True): Breaker.OPEN,
}


@pytest.mark.parametrize(("before", "blame", "of_the_probe"), TURNS)
def test_the_breaker_turns_as_the_table_says(
    before: Breaker, blame: Blame | None, of_the_probe: bool
) -> None:
    came = outcome(OF[blame] if blame else None, token=PROBE if of_the_probe else OTHER)

    after = told(standing(before), came)

    assert after.breaker is TURNS[before, blame, of_the_probe]
    assert (after.until is None) == (after.breaker is Breaker.CLOSED)
    assert after.probe == (PROBE if after.breaker is Breaker.HALF_OPEN else None)


@pytest.mark.parametrize("breaker", Breaker)
@pytest.mark.parametrize("kind", HANDLING)
def test_a_claim_s_own_fault_says_that_the_endpoint_answers(kind: str, breaker: Breaker) -> None:
    assert told(standing(breaker), outcome(kind, own=True)).breaker is Breaker.CLOSED
    assert told(standing(), *[outcome(kind, own=True)] * 2 * FAULTS_IN_A_ROW).slots == standing().slots


@pytest.mark.parametrize("breaker", Breaker)
def test_what_was_never_asked_of_the_endpoint_says_nothing(breaker: Breaker) -> None:
    assert told(standing(breaker), outcome("check_too_slow", own=True)).breaker is breaker


@pytest.mark.parametrize(
    "kind", [kind for kind, row in HANDLING.items() if row.blame in {Blame.ENDPOINT, Blame.ANSWER}]
)
def test_faults_in_a_row_open_it_and_an_answer_between_them_does_not(kind: str) -> None:
    row = [outcome(kind)] * (FAULTS_IN_A_ROW - 1)

    assert told(standing(), *row, outcome(kind, own=True), *row, outcome(), *row).breaker is Breaker.CLOSED
    assert told(standing(), *row, outcome(kind)).breaker is Breaker.OPEN


@pytest.mark.parametrize(
    ("away", "least", "most"), [(0, 0.5, 1), (30, 1.5, 3), (300, 15, 30), (86_400, 30, 60)]
)
def test_it_stays_open_for_a_share_of_the_time_that_the_server_has_been_away(
    away: float, least: float, most: float
) -> None:
    opened = standing(Breaker.HALF_OPEN, away=away)
    since = opened.since

    until = told(opened, outcome("unreachable", token=PROBE)).until

    assert until is not None
    assert least <= (until - NOW).total_seconds() <= most <= MAX_OPEN_SECONDS
    assert opened.since == since


def test_an_operators_fault_opens_it_for_long_and_a_server_may_ask_for_longer_than_we_would() -> None:
    shut = told(standing(), outcome("unauthorised")).until
    asked = told(standing(Breaker.HALF_OPEN), outcome("overloaded", token=PROBE, retry_after=45)).until

    assert shut is not None
    assert shut - NOW >= timedelta(seconds=0.9 * OPERATOR_SECONDS)
    assert asked == NOW + timedelta(seconds=45)


def test_a_server_that_comes_back_is_not_overrun() -> None:
    assert told(standing(Breaker.HALF_OPEN, slots=32), outcome(token=PROBE)).slots == FIRST_SLOTS


def test_slots_rise_only_while_all_are_used_and_there_are_workers_for_them() -> None:
    assert told(standing(), outcome()).slots == 8.125
    assert told(standing(), outcome(), in_flight=6).slots == 8
    assert told(standing(), outcome(), in_flight=20, waiting=12).slots == 8
    assert told(standing(most=8), outcome()).slots == 8


@pytest.mark.parametrize("most", [4, 1])
def test_the_server_s_own_bound_and_that_of_the_settings_hold(most: int) -> None:
    bounded = standing(slots=20, most=most)
    bounded.max_concurrent = 3

    assert told(bounded).slots == min(most, 3)


def test_a_refusal_halves_once_for_all_calls_that_were_on_their_way() -> None:
    lowered = told(standing(slots=16), *[outcome("overloaded")] * 3, in_flight=13)
    assert lowered.slots == 8
    assert told(lowered, outcome("overloaded", seconds=1, at=NOW + timedelta(seconds=0.9))).slots == 8
    assert told(lowered, outcome("overloaded", seconds=0.1, at=NOW + timedelta(seconds=5))).slots == 4


def test_refusals_that_fewer_slots_cannot_answer_open_the_breaker() -> None:
    assert told(standing(slots=1), *[outcome("overloaded")] * FAULTS_IN_A_ROW).breaker is Breaker.OPEN


def test_answers_that_take_three_times_as_long_lower_the_slots_and_one_slow_one_does_not() -> None:
    quick = told(standing(most=8), *[outcome()] * MEASURED * 2)
    assert told(quick, outcome(seconds=5)).slots == 8

    slow = told(quick, *[outcome(seconds=2.5)] * MEASURED)

    assert slow.slots < 8
    assert slow.refused_at is None


def test_what_was_slow_with_nothing_else_in_hand_is_what_it_takes_now() -> None:
    alone = told(standing(slots=1, most=1), *[outcome()] * MEASURED * 2, in_flight=0)

    told(alone, *[outcome(seconds=5)] * MEASURED * 3, in_flight=0)

    assert (alone.slots, alone.best_latency) == (1, pytest.approx(5, rel=0.5))


def test_answers_faults_and_times_are_counted() -> None:
    counted = told(standing(), outcome(), outcome(seconds=1_000), outcome("schema"), outcome("schema"))

    assert (counted.answers, counted.faults, counted.last_fault) == (2, {"schema": 2}, "schema")
    assert (sum(counted.seconds_buckets), counted.seconds_buckets[-1]) == (2, 1)
    assert counted.seconds_sum == 1_000.5


def simulated(capacity: int, *, most: int, answers: int, seed: int = 7) -> tuple[float, float]:
    """(slots in use on average of what the server has, refused share) where it refuses what is too much."""
    rng, one = random.Random(seed), standing(slots=8, most=most)
    one.doubling = True
    clock, calls, refused, worked, flying = 0.0, 0, 0, 0.0, 0
    ends: list[tuple[float, int, float, str | None]] = []
    while one.answers < answers:
        while flying < int(one.slots):
            calls += 1
            taken = sum(error is None for *_, error in ends) < capacity
            seconds = rng.lognormvariate(-0.7, 0.5) if taken else 0.005
            refused += not taken
            worked += seconds if taken else 0
            heapq.heappush(ends, (clock + seconds, calls, seconds, None if taken else "overloaded"))
            flying += 1
        clock, _, seconds, error = heapq.heappop(ends)
        flying -= 1
        at = NOW + timedelta(seconds=clock)
        told(one, ExaminationOutcome(uuid4(), error, seconds, at), in_flight=flying, now=at)
    return worked / (clock * capacity), refused / calls


@pytest.mark.parametrize(("capacity", "most"), [(32, 32), (32, 256), (6, 256)])
def test_the_slots_find_the_server_s_bound_and_stay_near_it(capacity: int, most: int) -> None:
    used, refused = simulated(capacity, most=most, answers=4_000)

    assert used >= 0.93
    assert refused <= 0.02
