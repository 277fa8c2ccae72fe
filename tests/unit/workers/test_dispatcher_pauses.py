"""The pauses of the dispatcher's loop: it waits for news, and no shorter than a round."""

from collections.abc import Iterator
from typing import Any

import pytest

from ace import flow
from ace.settings import Settings
from workers import dispatcher
from workers.dispatcher import ROUND_SECONDS


class Stop:
    """A stop signal that comes after some rounds; remembers how long was waited for it."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.waited: list[float] = []

    def is_set(self) -> bool:
        self.rounds -= 1
        return self.rounds < 0

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)


class Silent:
    """A listener that hears nothing."""

    def wait(self, timeout_seconds: float, sleep: object) -> bool:
        del timeout_seconds, sleep
        return False


def pauses(monkeypatch: pytest.MonkeyPatch, *, more: bool, round_seconds: float) -> list[float]:
    """How long the loop waits after each of two rounds that take so long."""

    def moments() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += round_seconds

    times = moments()
    done = flow.Round(0, 0.0, full=False, more=more)
    monkeypatch.setattr(flow, "dispatch", lambda *_, **__: done)
    monkeypatch.setattr(dispatcher, "transact", lambda *_, **__: None)
    stop, nothing = Stop(2), Any
    dispatcher.run(
        nothing,  # type: ignore[arg-type]
        nothing,  # type: ignore[arg-type]
        Silent(),  # type: ignore[arg-type]
        dispatcher.limits(Settings()),
        waiting_seconds=0.3,
        poll_seconds=0.05,
        actor="d",
        stop=stop,  # type: ignore[arg-type]
        clock=lambda: next(times),
    )
    return stop.waited


def test_rounds_do_not_follow_each_other_faster_than_their_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(monkeypatch, more=False, round_seconds=0.0) == [ROUND_SECONDS] * 2


def test_a_round_that_took_longer_is_followed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(monkeypatch, more=False, round_seconds=1.0) == [0.0] * 2


def test_while_there_is_more_to_do_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(monkeypatch, more=True, round_seconds=0.0) == []
