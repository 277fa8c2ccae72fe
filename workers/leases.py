"""Keeps the leases of one worker process alive while it thinks, and gives them back when it stops.

One thread renews everything that the process holds, in one statement. A process that is killed or
frozen stops renewing, and that is how others learn that its claims are free.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from uuid import UUID

from sqlalchemy import Engine

from ace.errors import Unavailable
from ace.store import moves
from ace.store.database import transact

log = logging.getLogger(__name__)


class Keeper:
    """The leases that this process holds. `lease_seconds` is how long each renewal lasts."""

    def __init__(self, db: Engine, *, lease_seconds: float, worker: str) -> None:
        self._db = db
        self._lease_seconds = lease_seconds
        self._worker = worker
        self._held: set[UUID] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_stopped, name="leases", daemon=True)

    def begin(self) -> None:
        """Starts renewing."""
        self._thread.start()

    @contextmanager
    def holding(self, token: UUID) -> Iterator[None]:
        """Renews `token` until the block is left."""
        with self._lock:
            self._held.add(token)
        try:
            yield
        finally:
            with self._lock:
                self._held.discard(token)

    def give_back(self) -> int:
        """Releases whatever is still held, counting no try; answers how many evaluations that freed."""
        with self._lock:
            held, self._held = list(self._held), set()
        if not held:
            return 0
        release = partial(moves.release, tokens=held, actor=self._worker, worker=self._worker)
        return transact(self._db, release)

    def end(self) -> None:
        """Stops renewing."""
        self._stop.set()
        self._thread.join(timeout=5)

    def _renew_until_stopped(self) -> None:
        while not self._stop.wait(self._lease_seconds / 4):
            with self._lock:
                held = list(self._held)
            if not held:
                continue
            renew = partial(moves.renew, tokens=held, worker=self._worker, lease_seconds=self._lease_seconds)
            try:
                transact(self._db, renew, durable=False)
            except Unavailable as fault:
                log.warning("leases not renewed", extra={"part": fault.part, "held": len(held)})
            except Exception:  # a keeper that stops lets every long thought of the process be taken over
                log.exception("leases not renewed", extra={"held": len(held)})
