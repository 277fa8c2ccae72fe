"""Keeps the leases of one worker process alive while it thinks, and gives them back when it stops.

One thread renews everything that the process holds, in one statement. A process that is killed or
frozen stops renewing, and that is how others learn that its claims are free.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
        self._stopping: Callable[[], None] | None = None
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

    @property
    def idle(self) -> bool:
        """Whether nothing is held."""
        return not self._held

    def give_back(self) -> int:
        """Releases whatever is still held, counting no try; answers how many evaluations that freed."""
        with self._lock:
            held, self._held = list(self._held), set()
        if not held:
            return 0
        return transact(self._db, lambda connection: moves.release(connection, held, actor=self._worker))

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
            try:
                transact(
                    self._db,
                    lambda connection, held=held: moves.renew(  # type: ignore[misc]  # bound now
                        connection, held, lease_seconds=self._lease_seconds
                    ),
                    durable=False,
                )
            except Unavailable as fault:
                log.warning("leases not renewed", extra={"part": fault.part, "held": len(held)})
