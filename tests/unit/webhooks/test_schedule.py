"""What follows from an answer: a table of cases."""

import random

import pytest

from ace.webhooks.schedule import (
    JITTER,
    MAX_RETRY_AFTER_SECONDS,
    SCHEDULE_SECONDS,
    Answer,
    Next,
    next_of,
    pauses_of,
)

RNG = random.Random(1)


def following(answer: Answer, tried: int = 0) -> Next:
    return next_of(answer, tried, schedule=SCHEDULE_SECONDS, rng=RNG)


def test_the_schedule_has_ten_attempts_in_three_days() -> None:
    assert len(SCHEDULE_SECONDS) == 9
    assert 3 * 86_400 < sum(SCHEDULE_SECONDS) < 3.5 * 86_400


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_2xx_accepts(status: int) -> None:
    assert following(Answer(status)) == Next(accepted=True)


@pytest.mark.parametrize("status", [100, 301, 302, 307, 308, 400, 401, 404, 500, 503])
@pytest.mark.parametrize("tried", range(len(SCHEDULE_SECONDS)))
def test_nothing_else_accepts_and_pauses_are_jittered(status: int, tried: int) -> None:
    found = following(Answer(status), tried)
    assert not found.accepted
    assert found.delay_seconds is not None
    assert SCHEDULE_SECONDS[tried] <= found.delay_seconds <= SCHEDULE_SECONDS[tried] * (1 + JITTER)


def test_the_last_attempt_is_the_last() -> None:
    assert following(Answer(500), len(SCHEDULE_SECONDS)).delay_seconds is None


def test_410_is_the_end() -> None:
    assert following(Answer(410)) == Next(gone=True)


@pytest.mark.parametrize(("asked", "least"), [(3_600, 3_600), (1, 5), (10**9, MAX_RETRY_AFTER_SECONDS)])
@pytest.mark.parametrize("status", [429, 503, 500])
def test_retry_after_is_obeyed_up_to_a_day(status: int, asked: float, least: float) -> None:
    found = following(Answer(status, retry_after=asked))
    assert found.delay_seconds is not None
    assert least <= found.delay_seconds <= least * (1 + JITTER)
    assert found.pause_seconds == min(asked, MAX_RETRY_AFTER_SECONDS)


@pytest.mark.parametrize(
    ("answer", "pauses"),
    [
        (Answer(500), False),
        (Answer(404), False),
        (Answer(429), True),
        (Answer(502), True),
        (Answer(504), True),
        (Answer(fault="timeout"), True),
    ],
)
def test_a_receiver_in_trouble_is_left_alone_for_a_while(answer: Answer, pauses: bool) -> None:
    assert (following(answer).pause_seconds is not None) is pauses


def test_without_a_schedule_there_is_one_attempt() -> None:
    assert next_of(Answer(fault="tls"), 0, schedule=(), rng=RNG) == Next()


def test_pauses_are_read_and_bounded() -> None:
    assert pauses_of("1, 2.5,3") == (1.0, 2.5, 3.0)
    assert pauses_of("") == ()
    for wrong in ("-1", "nan", "1e9", "soon"):
        with pytest.raises(ValueError, match=r"pauses|convert"):
            pauses_of(wrong)
