"""One Celery worker process for one queue: takes messages up, and stops without losing any."""

import logging
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol
from uuid import UUID

from celery import Celery, Task
from celery.platforms import SecurityWarning
from celery.signals import worker_ready, worker_shutting_down
from sqlalchemy import Engine

from ace import claim_work, flow, tracing
from ace.bounded import Bounded
from ace.errors import ModelError, Unavailable
from ace.settings import Settings
from ace.store import moves
from ace.store.database import transact
from ace.store.tables import Stage
from ace.store.workers import PARTS
from ace.workers.app import make_app
from ace.workers.heartbeat import Heartbeat
from ace.workers.leases import Keeper
from ace.workers.messages import TASKS, Dropped

log = logging.getLogger(__name__)

EXIT_BROKEN: Final = 70  # EX_SOFTWARE of sysexits.h: the supervisor should start the process again


def worker_name(queue: str) -> str:
    """The name of this process in leases and events."""
    return f"{queue}@{socket.gethostname()}:{os.getpid()}"


class Work(Protocol):
    """What is done with one message: a verb of the flow."""

    def __call__(
        self, *, token: UUID, holding: flow.Holding, lease_seconds: float, worker: str
    ) -> object: ...


def checks_of(settings: Settings, processes: int) -> Bounded:
    """The processes in which this one runs the rules; whoever asks for them closes them."""
    return Bounded(processes=processes, cpu_seconds=settings.check_seconds, warm=claim_work.warm)


def serve(
    settings: Settings,
    db: Engine,
    queue: str,
    work: Work,
    *,
    concurrency: int,
    dropped: Dropped | None = None,
) -> int:
    """Serves a queue, `concurrency` messages at a time, until told to stop; `dropped` counts those that are
    none of ACE's.

    Returns the exit code.
    """
    name = worker_name(queue)
    fast = queue == Stage.FAST
    lease_seconds = settings.fast_lease_seconds if fast else settings.slow_lease_seconds
    hold_seconds = settings.fast_hold_seconds if fast else settings.slow_hold_seconds
    heartbeat = Heartbeat(db, PARTS[queue], name)
    keeper = Keeper(
        db, lease_seconds=lease_seconds, hold_seconds=hold_seconds, worker=name, heartbeat=heartbeat
    )
    return Service(
        make_app(settings, dropped=dropped),
        db,
        keeper,
        lambda token: work(token=token, holding=keeper.holding, lease_seconds=lease_seconds, worker=name),
        queue=queue,
        concurrency=concurrency,
        grace_seconds=settings.shutdown_grace_seconds,
    ).run()


class Service:
    """Runs `work(token)` for every message of `queue` until a signal asks it to stop.

    When it stops, it finishes what is in hand, gives back what was not begun, and after
    `grace_seconds` gives back everything and exits. A claim that is given back counts no try.
    """

    def __init__(
        self,
        app: Celery,
        db: Engine,
        keeper: Keeper,
        work: Callable[[UUID], object],
        *,
        queue: str,
        concurrency: int,
        grace_seconds: float,
    ) -> None:
        self._app = app
        self._db = db
        self._keeper = keeper
        self._work = work
        self._queue = queue
        self._concurrency = concurrency
        self._grace_seconds = grace_seconds
        self._stopping = threading.Event()
        self._hands = threading.Semaphore(concurrency)
        self._taking = threading.Lock()

        def take(task: Task, token: str, ids: list[str], alone: bool) -> None:
            with tracing.continued(task.request.get(tracing.HEADER)):
                self._take(token, ids, alone)

        app.task(name=TASKS[queue], bind=True)(take)

    def run(self) -> int:
        """Blocks until the worker has stopped; returns the exit code."""
        self._keeper.begin(hung=lambda: self._leave(EXIT_BROKEN))
        # Celery warns about running as root because pickled messages can run code; ours are JSON.
        warnings.simplefilter("ignore", SecurityWarning)
        worker = self._app.Worker(
            hostname=worker_name(self._queue),
            queues=[str(self._queue)],
            pool="threads",
            concurrency=self._concurrency,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            loglevel="WARNING",
            quiet=True,
        )
        worker_ready.connect(self._on_ready)
        worker_shutting_down.connect(self._begin_stopping)
        log.info("worker ready", extra={"queue": str(self._queue), "worker": worker_name(self._queue)})
        worker.start()
        self._keeper.end()
        return int(worker.exitcode or 0)

    def _take(self, token: str, ids: list[str], alone: bool) -> None:
        """Handles one message. Never raises: Celery would log what the error quotes."""
        try:
            with self._in_hand(alone):
                if self._stopping.is_set():
                    self._release(UUID(token))
                else:
                    self._work(UUID(token))
        except ModelError:
            log.critical("the model is broken: exiting", exc_info=True)
            self._leave(EXIT_BROKEN)
        except Unavailable as fault:
            why = {"part": fault.part, "cause": fault.cause}
            log.warning("message dropped; its lease runs out", extra={**why, "claims": len(ids)})
        except Exception:
            log.exception("message failed", extra={"claims": len(ids), "token": token})

    @contextmanager
    def _in_hand(self, alone: bool) -> Iterator[None]:
        """Waits until the message may be in hand, beside others or alone."""
        hands = self._concurrency if alone else 1
        with self._taking:  # two that want to be alone would each wait for the other's hand
            for _ in range(hands):
                self._hands.acquire()
        try:
            yield
        finally:
            self._hands.release(hands)

    def _release(self, token: UUID) -> None:
        transact(self._db, lambda connection: moves.release(connection, [token], actor="shutdown"))

    def _on_ready(self, **_: object) -> None:
        # Celery would write every local variable of every thread to the log.
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)

    def _begin_stopping(self, **_: object) -> None:
        self._stopping.set()
        threading.Thread(target=self._leave_after_grace, daemon=True).start()

    def _leave_after_grace(self) -> None:
        threading.Event().wait(self._grace_seconds)
        self._leave(0)

    def _leave(self, status: int) -> None:
        """Gives back whatever the process holds, and ends it now."""
        try:
            log.warning("worker exits", extra={"given_back": self._keeper.give_back()})
            tracing.flush()
        finally:  # leases that could not be given back run out
            os._exit(status)
