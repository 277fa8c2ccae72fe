"""The pauses of the dispatcher's loop: it waits for news, and no shorter than a round."""

from typing import Any

import pytest

from ace import flow
from ace.errors import Unavailable
from ace.settings import Settings
from ace.store.database import News
from ace.store.purge import PURGED_AT_ONCE, Purged
from ace.workers import dispatcher
from ace.workers.dispatcher import LONGEST_PAUSE_SECONDS, PURGE_SECONDS, ROUND_SECONDS, SLOT_SECONDS


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


class Clock:
    """Time that passes by so much at each look, and by what is waited."""

    def __init__(self, each: float = 0.0) -> None:
        self.now, self.each = 0.0, each

    def __call__(self) -> float:
        self.now += self.each
        return self.now


class Heard:
    """A listener that hears these, one after the other, and then nothing; remembers how long it waited."""

    def __init__(self, clock: Clock, *news: News | None) -> None:
        self.clock, self.news = clock, list(news)
        self.waited: list[float] = []

    def wait(self, timeout_seconds: float, sleep: object) -> News | None:
        del sleep
        self.waited.append(timeout_seconds)
        heard = self.news.pop(0) if self.news else None
        if heard is None:
            self.clock.now += timeout_seconds
        return heard


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


def run_rounds(rounds: int, clock: Clock | None = None, listener: Heard | None = None) -> list[float]:
    """Runs the loop without a database or a broker; how long it waits each time for the signal to stop."""
    stop, nothing, clock = Stop(rounds), Any, clock or Clock()
    dispatcher.run(
        nothing,  # type: ignore[arg-type]
        nothing,  # type: ignore[arg-type]
        listener or Heard(clock),  # type: ignore[arg-type]
        dispatcher.limits(Settings()),
        waiting_seconds=0.3,
        poll_seconds=0.05,
        actor="d",
        stop=stop,  # type: ignore[arg-type]
        clock=clock,
    )
    return stop.waited


def pauses(
    monkeypatch: pytest.MonkeyPatch, listener: Heard, *, rounds: int, more: bool = False
) -> list[float]:
    """How long the loop waits after rounds that find nothing, for the signal to stop."""
    done = flow.Round(0, 0.0, full=False, more=more)
    monkeypatch.setattr(flow, "dispatch", lambda *_, **__: done)
    monkeypatch.setattr(dispatcher, "transact", lambda *_, **__: None)
    return run_rounds(rounds, listener.clock, listener)


def test_what_is_announced_while_a_round_lasts_is_done_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    # Given a round after which something moves at once, and again soon after
    listener = Heard(Clock(), News.MOVED, News.MOVED)
    assert pauses(monkeypatch, listener, rounds=1) == [0.0]

    # Then the next round waits for its time
    assert listener.waited == [0.05, ROUND_SECONDS, ROUND_SECONDS]
    assert listener.clock.now == ROUND_SECONDS


@pytest.mark.parametrize("news", [(News.SLOT,), (News.MOVED, News.SLOT)])
def test_a_free_slot_does_not_wait_for_the_next_round(
    monkeypatch: pytest.MonkeyPatch, news: tuple[News, ...]
) -> None:
    listener = Heard(Clock(), *news, News.MOVED)
    assert pauses(monkeypatch, listener, rounds=1) == [SLOT_SECONDS]
    assert listener.waited == [0.05, ROUND_SECONDS][: len(news)]


def test_a_round_that_took_longer_is_followed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Heard(Clock(each=1.0), News.MOVED, News.SLOT)
    assert pauses(monkeypatch, listener, rounds=2) == [0.0] * 2
    assert listener.waited == [0.05] * 2


def test_tests_are_purged_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    purged: list[Purged] = []

    def purge(_: object) -> Purged:
        purged.append(Purged())
        return purged[-1]

    monkeypatch.setattr(dispatcher, "purge_tests", purge)
    pauses(monkeypatch, Heard(Clock(each=PURGE_SECONDS / 100)), rounds=2, more=True)
    assert purged == []
    pauses(monkeypatch, Heard(Clock(each=2 * PURGE_SECONDS)), rounds=2, more=True)
    assert len(purged) == 2


@pytest.mark.parametrize(("purged", "again_in"), [(PURGED_AT_ONCE, 0), (PURGED_AT_ONCE - 1, PURGE_SECONDS)])
def test_where_there_may_be_more_tests_to_purge_the_next_round_looks_again(
    monkeypatch: pytest.MonkeyPatch, purged: int, again_in: float
) -> None:
    monkeypatch.setattr(dispatcher, "purge_tests", lambda _: Purged(filings=purged))
    nothing: Any = None
    assert dispatcher._purge_tests(nothing, lambda: 100.0) == 100.0 + again_in


def test_while_there_is_more_to_do_nothing_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Heard(Clock(), News.MOVED)
    assert pauses(monkeypatch, listener, rounds=2, more=True) == listener.waited == []


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
