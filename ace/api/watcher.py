"""Waiting for evaluations to settle and for events, and hints that something changed: one thread for the
whole process.

It wakes on notifications of the store, or four times a second while anyone waits, and runs one query for all
the evaluations that are waited for (one for each wait, however long its filing), and one for all the feeds
that are followed. A waiter holds no thread and no connection. The streams of hints.py are looked after by
the same thread.
"""

import asyncio
import logging
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, Protocol, TypeVar
from uuid import UUID

from sqlalchemy import Engine

from ace.api.hints import Hints
from ace.errors import TooMuch, Unavailable
from ace.store import notices, reads
from ace.store.database import transact

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.25
RETRY_SECONDS: Final = 2.0  # after which a wait over the limit may be asked for again


class Announcements(Protocol):
    """What wakes the watcher: store.database.Listener."""

    def wait(self, timeout_seconds: float, sleep: Callable[[float], object]) -> object: ...

    def close(self) -> None: ...


class Waiter:
    """Somebody who waits, in an event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.done = asyncio.Event()


class Wait(Waiter):
    """One that waits until an evaluation settles. Created by `Watcher.watching`."""

    def __init__(self, evaluation: UUID) -> None:
        super().__init__()
        self.evaluation = evaluation


class Follower(Waiter):
    """One that waits for an event of a tenant after a number. Created by `Watcher.following`."""

    def __init__(self, tenant: str, number: int) -> None:
        super().__init__()
        self.tenant = tenant
        self.number = number


W = TypeVar("W", bound=Waiter)


class Watcher:
    """Wakes waiters when what they wait for has settled. Start it once; stop ends every wait."""

    def __init__(
        self,
        db: Engine,
        announcements: Announcements,
        *,
        tenant_waits: int,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._db = db
        self._announcements = announcements
        self._tenant_waits = tenant_waits
        self._poll_seconds = poll_seconds
        self.hints = Hints()
        self._lock = threading.Lock()
        self._waits: set[Waiter] = set()
        self._tenants: Counter[str] = Counter()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ends every wait and the thread."""
        self.release()
        if self._thread.is_alive():
            self._thread.join()

    def release(self) -> None:
        """Ends every wait, now and from now on: the process is about to stop."""
        self._stopped.set()
        with self._lock:
            waits = list(self._waits)
        _end(waits)
        self.hints.release()

    @property
    def stopped(self) -> bool:
        """Whether waits end at once."""
        return self._stopped.is_set()

    def refuse_crowd(self, tenant: str) -> None:
        """Raises TooMuch if as many requests of a tenant wait as may."""
        limit = self._tenant_waits
        if self._tenants[tenant] >= limit:
            words = f"{limit} requests of the tenant wait already"
            raise TooMuch(words, code="too_many_waits", limit=limit, retry_after=RETRY_SECONDS)

    @contextmanager
    def admitted(self, tenant: str) -> Iterator[None]:
        """Counts one waiting request of a tenant. Raises TooMuch beyond the limit."""
        self.refuse_crowd(tenant)
        self._tenants[tenant] += 1
        try:
            yield
        finally:
            self._tenants[tenant] -= 1
            if not self._tenants[tenant]:
                del self._tenants[tenant]

    @contextmanager
    def watching(self, evaluation: UUID) -> Iterator[Wait]:
        """A wait for this evaluation. Look at it inside: it may have settled before the wait began."""
        with self._waiting(Wait(evaluation)) as wait:
            yield wait

    @contextmanager
    def following(self, tenant: str, number: int) -> Iterator[Follower]:
        """A wait for an event of the tenant after this number, which may be there already."""
        with self._waiting(Follower(tenant, number)) as wait:
            yield wait

    @contextmanager
    def _waiting(self, wait: W) -> Iterator[W]:
        with self._lock:
            self._waits.add(wait)
        if self.stopped:
            wait.done.set()
        try:
            yield wait
        finally:
            with self._lock:
                self._waits.discard(wait)

    def _run(self) -> None:
        while not self.stopped:
            try:
                self._announcements.wait(self._poll_seconds, self._stopped.wait)
                began = time.monotonic()
                self._look()
                if self.hints.due:
                    transact(self._db, self.hints.look)
                # However much is announced, half of the time is left to others.
                self._stopped.wait(time.monotonic() - began)
            except Unavailable as fault:
                why = {"part": fault.part, "cause": fault.cause}
                log.warning("waiting clients cannot be notified", extra=why)
                self._stopped.wait(self._poll_seconds)
            except Exception:
                log.exception("the watcher met an unexpected error")
                self._stopped.wait(self._poll_seconds)
        self._announcements.close()

    def _look(self) -> None:
        with self._lock:
            waits = list(self._waits)
        if not waits:
            return
        watched = [wait for wait in waits if isinstance(wait, Wait)]
        followed = [wait for wait in waits if isinstance(wait, Follower)]
        wanted, tenants = {wait.evaluation for wait in watched}, {wait.tenant for wait in followed}
        if wanted:
            settled = transact(self._db, partial(reads.settled, evaluation_ids=list(wanted)))
            _end(wait for wait in watched if wait.evaluation in settled)
        if tenants:
            heads = transact(self._db, partial(notices.heads, tenants=tenants))
            _end(wait for wait in followed if heads.get(wait.tenant, 0) > wait.number)


def _end(waits: Iterable[Waiter]) -> None:
    """Wakes the waiters, from any thread: those of one event loop together, so that they can share reads."""
    loops: dict[asyncio.AbstractEventLoop, list[Waiter]] = defaultdict(list)
    for wait in waits:
        loops[wait.loop].append(wait)
    for loop, ended in loops.items():
        with suppress(RuntimeError):  # it has closed, so nobody waits
            loop.call_soon_threadsafe(_wake, ended)


def _wake(waits: Iterable[Waiter]) -> None:
    for wait in waits:
        wait.done.set()
