"""Token buckets: what a key may ask at once and over time, and what is kept of keys that stopped."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.api.rates import SWEEP_SECONDS, Rates
from ace.errors import TooMuch

KEY, OTHER = b"k" * 32, b"o" * 32


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rates(clock: Clock) -> Rates:
    return Rates(clock)


def granted(rates: Rates, rate: float, tries: int, key: bytes = KEY) -> int:
    """How many of so many requests at once go through."""
    through = 0
    for _ in range(tries):
        try:
            rates.take(key, rate)
        except TooMuch:
            continue
        through += 1
    return through


@pytest.mark.parametrize(("rate", "at_once"), [(5, 5), (1, 1), (0.2, 1), (2.5, 2), (500, 500)])
def test_a_second_of_requests_may_come_at_once(rates: Rates, rate: float, at_once: int) -> None:
    assert granted(rates, rate, at_once + 10) == at_once


@pytest.mark.parametrize(
    ("rate", "passed", "more"), [(5, 0.2, 1), (5, 0.19, 0), (5, 60, 5), (0.1, 9.9, 0), (0.1, 10, 1)]
)
def test_then_they_come_in_at_their_rate(
    rates: Rates, clock: Clock, rate: float, passed: float, more: int
) -> None:
    granted(rates, rate, 10)
    clock.now += passed + 1e-9
    assert granted(rates, rate, 10) == more


@pytest.mark.parametrize(("rate", "seconds"), [(5, 0.2), (0.1, 10), (500, 0.002)])
def test_refusal_says_when_the_next_one_may_come(rates: Rates, rate: float, seconds: float) -> None:
    granted(rates, rate, 1_000)
    with pytest.raises(TooMuch, match=rf"may make {rate:g} a second") as refused:
        rates.take(KEY, rate)
    error = refused.value
    assert (error.code, error.limit) == ("too_many_requests", rate)
    assert error.retry_after == pytest.approx(seconds)


def test_refused_requests_take_nothing(rates: Rates, clock: Clock) -> None:
    granted(rates, 1, 1_000)
    clock.now += 1
    assert granted(rates, 1, 1) == 1


def test_keys_do_not_meet(rates: Rates) -> None:
    granted(rates, 3, 10)
    assert granted(rates, 3, 10, OTHER) == 3


def test_spent_key_is_turned_away_before_anyone_is_asked_and_others_are_not(
    rates: Rates, clock: Clock
) -> None:
    rates.refuse_spent(KEY)  # of whom nothing is known
    granted(rates, 2, 1)
    rates.refuse_spent(KEY)
    granted(rates, 2, 1)
    with pytest.raises(TooMuch):
        rates.refuse_spent(KEY)
    rates.refuse_spent(OTHER)
    clock.now += 0.5
    rates.refuse_spent(KEY)
    assert granted(rates, 2, 5) == 1  # looking took nothing


def test_another_rate_is_a_fresh_bucket(rates: Rates) -> None:
    granted(rates, 1, 5)
    assert granted(rates, 4, 10) == 4


def test_idle_keys_are_forgotten_and_busy_ones_are_not(rates: Rates, clock: Clock) -> None:
    for number in range(10_000):
        rates.take(number.to_bytes(32, "big"), 100)
    granted(rates, 0.01, 1, OTHER)
    clock.now += SWEEP_SECONDS + 1
    rates.take(KEY, 100)
    assert len(rates) == 2
    assert granted(rates, 0.01, 1, OTHER) == 0  # it has not filled again


@given(
    st.floats(0.5, 50),
    st.lists(st.floats(0, 3), min_size=1, max_size=60),
)
def test_never_more_than_the_rate_and_one_second_ahead(rate: float, pauses: list[float]) -> None:
    clock = Clock()
    rates = Rates(clock)
    began, through = clock.now, 0
    for pause in pauses:
        clock.now += pause
        through += granted(rates, rate, 20)
        assert through <= rate * (clock.now - began) + max(1, rate) + 1e-6


def test_many_threads_share_one_bucket(rates: Rates) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        counts = pool.map(lambda _: granted(rates, 100, 50), range(8))
        assert sum(itertools.chain(counts)) == 100
