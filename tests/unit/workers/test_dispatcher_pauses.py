"""The pauses of the dispatcher's loop: it waits for news, and no shorter than a round."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ace import flow
from ace.errors import Unavailable
from ace.settings import Settings
from workers import dispatcher
from workers.dispatcher import LONGEST_PAUSE_SECONDS, ROUND_SECONDS


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


def test_the_pauses_of_an_outage_grow_to_a_maximum_and_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # Given rounds that fail, one that does not, and another that fails
    faults = [*[True] * 7, False, True]

    def dispatch(*_: object, **__: object) -> flow.Round:
        if faults.pop(0):
            raise Unavailable("redis", "no broker")
        return flow.Round(0, 0.0, full=False, more=True)

    monkeypatch.setattr(flow, "dispatch", dispatch)
    monkeypatch.setattr(dispatcher, "transact", lambda *_, **__: None)

    # Then the loop waits twice as long each time, up to the maximum
    assert run_rounds(9) == [0.05, 0.1, 0.2, 0.4, 0.8, *[LONGEST_PAUSE_SECONDS] * 2, 0.05]


def run_rounds(rounds: int, clock: Callable[[], float] = lambda: 0.0) -> list[float]:
    """Runs the loop without a database or a broker; how long it waits each time."""
    stop, nothing = Stop(rounds), Any
    dispatcher.run(
        nothing,  # type: ignore[arg-type]
        nothing,  # type: ignore[arg-type]
        Silent(),  # type: ignore[arg-type]
        dispatcher.limits(Settings()),
        waiting_seconds=0.3,
        poll_seconds=0.05,
        actor="d",
        stop=stop,  # type: ignore[arg-type]
        clock=clock,
    )
    return stop.waited


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
    return run_rounds(2, clock=lambda: next(times))


def test_rounds_do_not_follow_each_other_faster_than_their_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(monkeypatch, more=False, round_seconds=0.0) == [ROUND_SECONDS] * 2


def test_a_round_that_took_longer_is_followed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(monkeypatch, more=False, round_seconds=1.0) == [0.0] * 2


def test_while_there_is_more_to_do_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pauses(monkeypatch, more=True, round_seconds=0.0) == []


@pytest.mark.parametrize(
    ("fault", "extended", "why"),
    [
        (Unavailable("postgres", "no server"), 1, "no server"),
        (Unavailable("redis", "no broker"), 0, "no broker"),
        (ZeroDivisionError("quotes a claim"), 0, None),
    ],
    ids=["database", "broker", "bug"],
)
def test_leases_are_extended_after_an_outage_of_the_database_alone(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
    extended: int,
    why: str | None,
) -> None:
    # Given a first round that fails, and two that do not
    rounds: list[Exception] = [fault]

    def dispatch(*_: object, **__: object) -> flow.Round:
        if rounds:
            raise rounds.pop()
        return flow.Round(0, 0.0, full=False, more=True)

    extensions: list[object] = []
    monkeypatch.setattr(flow, "dispatch", dispatch)
    monkeypatch.setattr(dispatcher, "_extend_leases", lambda *_, **__: extensions.append(1))
    monkeypatch.setattr(dispatcher, "transact", lambda *_, **__: None)

    with caplog.at_level("WARNING"):
        run_rounds(3)

    assert len(extensions) == extended
    [warned] = caplog.records
    assert (vars(warned)["why"], bool(warned.exc_info)) == (why, why is None)
