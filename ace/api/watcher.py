"""Waiting for evaluations to settle: one thread for the whole process.

It wakes on notifications of the store, or four times a second while anyone waits, and runs one query
for all the evaluations that are waited for. A waiter holds no thread and no connection.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, Protocol
from uuid import UUID

from sqlalchemy import Engine

from ace.errors import Unavailable
from ace.store import reads
from ace.store.database import transact

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.25


class Announcements(Protocol):
    """What wakes the watcher: store.database.Listener."""

    def wait(self, timeout_seconds: float, sleep: Callable[[float], object]) -> bool: ...

    def close(self) -> None: ...


class Wait:
    """One waiter: waits until all of `open` settle. Created by `Watcher.watching`."""

    def __init__(self, evaluations: Sequence[UUID]) -> None:
        self.open = set(evaluations)
        self._loop = asyncio.get_running_loop()
        self._done = asyncio.Event()

    async def settled(self, timeout_seconds: float) -> None:
        """Returns when all are settled, the time is up, or the watcher stops."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_seconds):
                await self._done.wait()

    def end(self) -> None:
        """Wakes the waiter; from any thread."""
        with suppress(RuntimeError):  # its event loop has closed, so nobody waits
            self._loop.call_soon_threadsafe(self._done.set)


class Watcher:
    """Wakes waiters when what they wait for has settled. Start it once; stop ends every wait."""

    def __init__(
        self, db: Engine, announcements: Announcements, *, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self._db = db
        self._announcements = announcements
        self._poll_seconds = poll_seconds
        self._lock = threading.Lock()
        self._waits: set[Wait] = set()
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
        for wait in waits:
            wait.end()

    @contextmanager
    def watching(self, evaluations: Sequence[UUID]) -> Iterator[Wait]:
        """A wait for these evaluations. Look once more inside it: they may have settled before it began."""
        wait = Wait(evaluations)
        with self._lock:
            self._waits.add(wait)
        if self._stopped.is_set():
            wait.end()
        try:
            yield wait
        finally:
            with self._lock:
                self._waits.discard(wait)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._announcements.wait(self._poll_seconds, self._stopped.wait)
                self._look()
            except Unavailable as fault:
                log.warning("waiting clients cannot be notified", extra={"part": fault.part})
                self._stopped.wait(self._poll_seconds)
            except Exception:
                log.exception("the watcher met an unexpected error")
                self._stopped.wait(self._poll_seconds)
        self._announcements.close()

    def _look(self) -> None:
        with self._lock:
            waits = list(self._waits)
        wanted = {id_ for wait in waits for id_ in wait.open}
        if not wanted:
            return
        settled = transact(self._db, lambda connection: reads.settled(connection, list(wanted)))
        for wait in waits:
            wait.open -= settled
            if not wait.open:
                wait.end()
