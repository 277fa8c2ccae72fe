"""When the expert is asked again."""

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.errors import ExpertPermanent, ExpertTransient
from ace.expert.client.retry import MAX_EXAMINATIONS, due_in, parse_retry_after, short_retries

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


class Script:
    """Raises its errors in turn, then returns "done"; keeps the sleeps it was asked for."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0
        self.slept: list[float] = []

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"

    def run(self, attempts: int = 3, budget_seconds: float = 20.0) -> str:
        retrying = short_retries(
            attempts=attempts, budget_seconds=budget_seconds, rng=random.Random(1), sleep=self.slept.append
        )
        result: str = retrying(self)
        return result


def transient(kind: str, retry_after: float | None = None) -> ExpertTransient:
    return ExpertTransient(kind, "no luck", retry_after)


@pytest.mark.parametrize("kind", ["generation", "incomplete", "unavailable", "unreachable", "reset"])
def test_a_passing_fault_is_tried_again(kind: str) -> None:
    script = Script(transient(kind), transient(kind))
    assert script.run() == "done"
    assert script.calls == 3
    assert all(0 <= slept <= ceiling for slept, ceiling in zip(script.slept, (0.5, 1.0), strict=True))


@pytest.mark.parametrize(
    "error",
    [
        transient("overloaded", 1.0),
        transient("timeout"),
        transient("dripping"),
        transient("truncated"),
        transient("schema"),
        ExpertPermanent("validation", "no"),
        KeyError("x"),
    ],
)
def test_what_a_moment_cannot_cure_is_raised_at_once(error: Exception) -> None:
    script = Script(error)
    with pytest.raises(type(error)) as caught:
        script.run()
    assert caught.value is error
    assert (script.calls, script.slept) == (1, [])


def test_the_last_error_is_raised_when_attempts_are_spent() -> None:
    errors = [transient("incomplete"), transient("unavailable"), transient("generation")]
    script = Script(*errors)
    with pytest.raises(ExpertTransient) as caught:
        script.run()
    assert caught.value is errors[-1]
    assert script.calls == 3


def test_retry_after_is_honoured_within_the_budget_and_ends_the_call_beyond_it() -> None:
    fitting = Script(transient("unavailable", 7.0))
    assert fitting.run(budget_seconds=20) == "done"
    assert fitting.slept == [7.0]
    beyond = Script(transient("unavailable", 60.0))
    with pytest.raises(ExpertTransient) as caught:
        beyond.run(budget_seconds=20)
    assert caught.value.retry_after == 60.0
    assert (beyond.calls, beyond.slept) == (1, [])


def test_sleeps_add_up_against_the_budget() -> None:
    script = Script(*[transient("unavailable", 7.0)] * 9)
    with pytest.raises(ExpertTransient):
        script.run(attempts=10, budget_seconds=20)
    assert script.slept == [7.0, 7.0]


def test_another_question_is_put_at_once_whatever_the_fault_was() -> None:
    slept: list[float] = []
    errors = [ExpertPermanent("too_long", "no"), transient("truncated"), transient("unavailable")]
    script = Script(*errors)
    retrying = short_retries(
        attempts=9,
        budget_seconds=20,
        rng=random.Random(1),
        sleep=slept.append,
        changed=lambda: script.calls < 3,
    )
    assert retrying(script) == "done"
    assert slept[:2] == [0.0, 0.0]
    assert slept[2] > 0


@pytest.mark.parametrize(
    ("attempt", "low", "high"),
    [(1, 2.5, 5), (2, 5, 10), (3, 10, 20), (7, 160, 320), (MAX_EXAMINATIONS - 1, 160, 320)],
)
def test_long_waits_double_with_jitter(attempt: int, low: float, high: float) -> None:
    waits = [due_in(attempt, None, rng=random.Random(seed)) for seed in range(50)]
    assert all(wait is not None and low <= wait <= high for wait in waits)
    assert len(set(waits)) > 40


def test_long_waits_end_at_ten_minutes() -> None:
    wait = due_in(60, None, rng=random.Random(1), max_examinations=100)
    assert wait is not None
    assert 300 <= wait <= 600


@pytest.mark.parametrize("attempt", [MAX_EXAMINATIONS, MAX_EXAMINATIONS + 3])
def test_after_eight_examinations_it_is_spent(attempt: int) -> None:
    assert due_in(attempt, 5.0, rng=random.Random(1)) is None


@given(st.integers(1, 7), st.none() | st.floats(0, 1e9), st.integers())
def test_never_sooner_than_the_server_asked_within_an_hour(
    attempt: int, asked: float | None, seed: int
) -> None:
    wait = due_in(attempt, asked, rng=random.Random(seed))
    assert wait is not None
    assert min(asked or 0.0, 3600.0) <= wait <= 3960.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        ("Sun, 01 Mar 2026 12:01:30 GMT", 90.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("Sun, 99 Mar 2026 11:00:00 GMT", None),
    ],
)
def test_retry_after_headers(value: str | None, expected: float | None) -> None:
    assert parse_retry_after(value, NOW) == expected
