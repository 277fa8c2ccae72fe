"""The dispatcher's loop: it works when woken, and waits out what is missing."""

import threading
from dataclasses import dataclass, field
from itertools import count

import pytest
from sqlalchemy import Engine

from ace.settings import Settings
from ace.store import moves
from ace.store.database import Listener, News, announce
from ace.store.tables import Stage, State
from ace.workers import dispatcher
from ace.workers.app import kombu_url
from tests import factories, fakes

LIMITS_SETTINGS = {"waiting_seconds": 0.3, "poll_seconds": 0.05, "actor": "d"}


@dataclass
class Recovering(fakes.Broker):
    """Down at first."""

    asked: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def waiting(self, stage: Stage) -> int:
        self.asked += 1
        self.down = self.asked < 3
        return super().waiting(stage)

    def publish(self, stage: object, leased: object) -> None:
        super().publish(stage, leased)  # type: ignore[arg-type]
        self.stop.set()


def test_the_loop_waits_for_the_broker_and_then_dispatches(db: Engine, postgres_url: str) -> None:
    factories.submit(db)
    broker = Recovering()
    patience = threading.Timer(60, broker.stop.set)
    patience.start()
    listener = Listener(postgres_url, name="tests")

    dispatcher.run(db, broker, listener, dispatcher.limits(Settings()), **LIMITS_SETTINGS, stop=broker.stop)
    patience.cancel()
    listener.close()

    assert broker.asked >= 3
    assert set(factories.states(db).values()) == {State.SCREENING}


@dataclass
class Heard:
    """A listener that hears these things, round by round; then it is over."""

    stop: threading.Event
    things: list[News | None]

    def wait(self, timeout_seconds: float, sleep: object) -> News | None:
        if len(self.things) == 1:
            self.stop.set()
        return self.things.pop(0)


def test_tallies_are_folded_after_something_moved_and_not_again(
    db: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.submit(db)
    stop = threading.Event()
    folded: list[int] = []
    listener = Heard(stop, [None, None, News.MOVED, None, None])
    monkeypatch.setattr(moves, "compact_tallies", lambda _: folded.append(len(listener.things)))
    times = count(0.0, 10.0)

    dispatcher.run(
        db,
        fakes.Broker(),
        listener,  # type: ignore[arg-type]  # hears what it is told
        dispatcher.limits(Settings()),
        **LIMITS_SETTINGS,
        stop=stop,
        clock=lambda: next(times),
    )

    assert folded == [5, 2]


def test_an_announcement_wakes_and_silence_does_not(db: Engine, postgres_url: str) -> None:
    listener = Listener(postgres_url, name="tests")
    assert listener.wait(0.01) is None

    with db.begin() as connection:
        connection.exec_driver_sql("NOTIFY ace_moves")  # as the version before announces
    assert listener.wait(60) is News.MOVED
    announce(db)
    assert listener.wait(60) is News.MOVED
    announce(db, News.SLOT)
    assert listener.wait(60) is News.SLOT

    with db.begin() as connection:  # several that arrive together
        connection.exec_driver_sql("NOTIFY ace_moves; NOTIFY ace_moves, 'slot'; NOTIFY ace_moves, 'moved'")
    assert listener.wait(60) is News.SLOT
    assert listener.wait(0.01) is None
    listener.close()


def test_a_listener_without_a_server_waits_its_time() -> None:
    slept: list[float] = []
    listener = Listener("postgresql://nobody@/none?host=/nowhere", name="tests")

    assert listener.wait(0.7, sleep=slept.append) is None

    assert slept == [0.7]


def test_sockets_are_spelt_as_kombu_wants_them() -> None:
    assert kombu_url("unix:///run/redis.sock") == "redis+socket:///run/redis.sock"


def test_a_broker_with_tls_is_trusted_by_its_certificate_unless_the_url_says_otherwise() -> None:
    assert kombu_url("rediss://:secret@redis/0") == "rediss://:secret@redis/0?ssl_cert_reqs=required"
    assert kombu_url("rediss://redis/0?ssl_ca_certs=/ca") == (
        "rediss://redis/0?ssl_ca_certs=/ca&ssl_cert_reqs=required"
    )
    assert kombu_url("rediss://redis/0?ssl_cert_reqs=none") == "rediss://redis/0?ssl_cert_reqs=none"
