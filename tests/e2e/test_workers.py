"""Worker processes that die or are asked to stop, on a real database and broker."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import Engine, text

from ace.flow.leased import TOO_LATE
from ace.processes import stop_process
from ace.settings import Settings
from ace.store import moves
from ace.store.database import Listener, transact
from ace.store.tables import Stage
from ace.workers import dispatcher
from ace.workers.app import CeleryBroker, make_app
from ace.workers.serving import EXIT_BROKEN
from ace_lab.simulator.server import Simulator
from tests import factories
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

LEASE_SECONDS = 1
DANGEROUS = ("-m", "tests.e2e.dangerous")


@pytest.fixture
def settings(postgres_url: str, broker_url: str) -> Settings:
    return Settings.model_validate(
        {
            "database_url": postgres_url,
            "broker_url": broker_url,
            "fast_lease_seconds": LEASE_SECONDS,
            "slow_lease_seconds": 5,
            "shutdown_grace_seconds": 0.3,
        }
    )


def with_settings(settings: Settings, **more: object) -> Settings:
    """The settings with some more given; processes are told of them too."""
    given = {name: getattr(settings, name) for name in settings.model_fields_set}
    return Settings.model_validate({**given, **more})


@contextmanager
def process(
    settings: Settings, *command: str, log: Path = Path(os.devnull)
) -> Iterator["subprocess.Popen[bytes]"]:
    """One process with these settings; stopped at the end."""
    with log.open("ab") as output:
        running = subprocess.Popen(
            [sys.executable, *command],
            env={**os.environ, **settings.environment()},
            stdout=output,
            stderr=output,
        )
    try:
        yield running
    finally:
        stop_process(running, seconds=20)


@contextmanager
def dispatching(settings: Settings, db: Engine) -> Iterator[None]:
    """A dispatcher in a thread."""
    stop = threading.Event()
    assert settings.database_url is not None
    listener = Listener(settings.database_url.get_secret_value(), name="tests")
    thread = threading.Thread(
        target=dispatcher.run,
        args=(db, CeleryBroker(make_app(settings)), listener, dispatcher.limits(settings)),
        kwargs={"waiting_seconds": 0.3, "poll_seconds": 0.05, "actor": "d", "stop": stop},
    )
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        listener.close()


def state_is(db: Engine, *wanted: str) -> Callable[[], bool]:
    return lambda: sorted(factories.states(db).values()) == sorted(wanted)


@pytest.mark.parametrize(
    ("word", "status"), [("poison", -signal.SIGKILL), ("endless", EXIT_BROKEN)], ids=["kills", "hangs"]
)
def test_a_claim_that_ends_its_worker_is_quarantined_and_the_rest_decided(
    settings: Settings, db: Engine, word: str, status: int
) -> None:
    settings = with_settings(settings, fast_hold_seconds=3)
    factories.submit(db, factories.new_filing(["A hook.", f"A hook of {word}.", "A plate.", "A bolt."]))
    deaths = []

    with ExitStack() as stack:
        stack.enter_context(dispatching(settings, db))
        worker = stack.enter_context(process(settings, *DANGEROUS))

        def settled() -> bool:
            nonlocal worker
            if worker.poll() is not None:
                deaths.append(worker.returncode)
                worker = stack.enter_context(process(settings, *DANGEROUS))
            return state_is(db, "decided", "decided", "decided", "failed")()

        wait_for(settled, "three verdicts and a quarantine", seconds=180)

    assert deaths == [status] * settings.max_tries
    with db.connect() as connection:
        failed = connection.execute(
            text("SELECT error, claim_number FROM evaluations WHERE state = 'failed'")
        )
        assert failed.one() == ("poison", 2)
    assert factories.illegal_chains(db) == []


def test_a_worker_whose_model_broke_leaves_and_eats_no_backlog(settings: Settings, db: Engine) -> None:
    settings = with_settings(settings, message_max_claims=5)
    factories.submit(db, factories.new_filing(["A breaking hook."] * 50))

    with dispatching(settings, db), process(settings, *DANGEROUS) as worker:
        assert worker.wait(60) == EXIT_BROKEN

    assert asked(db, "SELECT count(*) FROM evaluations WHERE tries > 0") <= 2 * 5
    assert "failed" not in factories.states(db).values()


@pytest.fixture
def hanging_url() -> Iterator[str]:
    """An expert that takes requests and never answers."""
    with Simulator(script=[{"fault": "hang", "times": 99}]).run() as simulator:
        yield simulator.url


def test_a_stopping_worker_gives_back_what_it_cannot_finish(
    settings: Settings, db: Engine, hanging_url: str
) -> None:
    settings = with_settings(settings, expert_url=hanging_url)
    evaluation = escalated(db)
    with dispatching(settings, db), process(settings, "-m", "ace", "worker", "slow") as worker:
        first = wait_for(lambda: taken_up_until(db), "the worker")
        # The call lasts, its lease is renewed, and nobody takes it over.
        wait_for(lambda: taken_up_until(db) not in {None, first}, "a renewal")

    assert worker.returncode == 0
    assert factories.states(db)[evaluation] in {"escalated", "examining"}
    with db.connect() as connection:
        assert connection.execute(text("SELECT tries, examined FROM evaluations")).one() == (0, 0)
    assert asked(db, "SELECT count(*) FROM events WHERE move = 'release'") == 1
    assert asked(db, "SELECT count(*) FROM events WHERE move = 'expire' AND detail IS NOT NULL") == 0


def test_a_killed_worker_is_taken_over_once_its_lease_is_over(settings: Settings, db: Engine) -> None:
    factories.submit(db, factories.new_filing(["A hook."]))
    leased = factories.lease(db, Stage.FAST, seconds=LEASE_SECONDS)
    assert leased is not None
    transact(db, lambda c: moves.start(c, leased.token, worker="killed", lease_seconds=LEASE_SECONDS))
    until = taken_up_until(db)

    with dispatching(settings, db), process(settings, *DANGEROUS):
        wait_for(state_is(db, "decided"), "the takeover")

    assert asked(db, "SELECT min(at) FROM events WHERE move = 'expire'") > until


def test_a_frozen_worker_that_wakes_up_late_changes_nothing(
    settings: Settings, db: Engine, tmp_path: Path
) -> None:
    factories.submit(db, *[factories.new_filing(["A hook."] * 20) for _ in range(5)])
    log = tmp_path / "log"

    with dispatching(settings, db), process(settings, *DANGEROUS, "freezes", log=log) as frozen:
        wait_for(lambda: psutil.Process(frozen.pid).status() == psutil.STATUS_STOPPED, "the frost")
        assert taken_up_until(db)
        with process(settings, *DANGEROUS):
            wait_for(lambda: undecided(db) == 0, "all verdicts", seconds=180)
            before = events(db)
            os.kill(frozen.pid, signal.SIGCONT)
            wait_for(lambda: TOO_LATE in log.read_text(), "the late verdicts")

    assert events(db) == before
    assert set(factories.states(db).values()) == {"decided"}
    assert factories.illegal_chains(db) == []


def escalated(db: Engine) -> object:
    """One escalated evaluation."""
    factories.submit(db, factories.new_filing(["A hook."]))
    leased = factories.lease(db, Stage.FAST)
    assert leased is not None
    verdict = factories.verdicts(leased.evaluations, escalate=True)
    transact(db, lambda c: moves.screened(c, leased.token, verdict, actor="t"))
    return leased.evaluations[0]


def asked(db: Engine, statement: str) -> Any:
    """The only value that a statement gives."""
    with db.connect() as connection:
        return connection.execute(text(statement)).scalar_one()


def undecided(db: Engine) -> int:
    return int(asked(db, "SELECT count(*) FROM evaluations WHERE state <> 'decided'"))


def events(db: Engine) -> int:
    return int(asked(db, "SELECT count(*) FROM events"))


def taken_up_until(db: Engine) -> datetime | None:
    """Until when the lease lasts that a worker has taken up; None where none has."""
    until: datetime | None = asked(db, "SELECT max(until) FROM leases WHERE started_at IS NOT NULL")
    return until
