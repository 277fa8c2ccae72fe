"""Keeps the leases of one worker process alive while it works, and gives them back when it stops.

One thread renews everything that the process holds, in one statement. A process that is killed or
frozen stops renewing, so its claims become free for others. So do those that were held for too long.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final
from uuid import UUID

from sqlalchemy import Engine

from ace.errors import Unavailable
from ace.store import moves
from ace.store.database import transact
from ace.workers.heartbeat import Heartbeat

log = logging.getLogger(__name__)

RENEWALS: Final = 4  # in the time that one of them lasts
END_SECONDS: Final = 5  # for the renewal under way


class Keeper:
    """The leases that this process holds: a renewal lasts `lease_seconds`, all of them up to `hold_seconds`.

    A lease held for longer is no longer renewed, so that others take it over, and `hung` is called from
    the keeper's thread: only a new process helps against a thread that hangs.
    """

    def __init__(
        self,
        db: Engine,
        *,
        lease_seconds: float,
        hold_seconds: float,
        worker: str,
        heartbeat: Heartbeat | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._lease_seconds = lease_seconds
        self._hold_seconds = hold_seconds
        self._worker = worker
        self._heartbeat = heartbeat
        self._clock = clock
        self._held: dict[UUID, float] = {}  # since when
        self._hung: Callable[[], object] = lambda: None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._renew_until_stopped, name="leases", daemon=True)

    def begin(self, hung: Callable[[], object]) -> None:
        """Starts renewing."""
        self._hung = hung
        if self._heartbeat is not None:
            self._heartbeat.begin()
        self._thread.start()

    @contextmanager
    def holding(self, token: UUID) -> Iterator[None]:
        """Renews `token` until the block is left."""
        with self._lock:
            self._held[token] = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._held.pop(token, None)

    def give_back(self) -> int:
        """Releases whatever is still held, without counting a try; returns how many evaluations it freed.

        The process is about to end.
        """
        if self._heartbeat is not None:
            self._heartbeat.end()
        with self._lock:
            held, self._held = list(self._held), {}
        if not held:
            return 0
        release = partial(moves.release, tokens=held, actor=self._worker, worker=self._worker)
        return transact(self._db, release)

    def end(self) -> None:
        """Stops renewing."""
        self._stop.set()
        self._thread.join(timeout=END_SECONDS)
        if self._heartbeat is not None:
            self._heartbeat.end()

    def _renew_until_stopped(self) -> None:
        while not self._stop.wait(self._lease_seconds / RENEWALS):
            if self._heartbeat is not None:
                self._heartbeat.beat()
            if self._drop_hung():
                self._hung()
            with self._lock:
                held = list(self._held)
            if not held:
                continue
            renew = partial(moves.renew, tokens=held, worker=self._worker, lease_seconds=self._lease_seconds)
            try:
                transact(self._db, renew, durable=False)
            except Unavailable as fault:
                why = {"part": fault.part, "cause": fault.cause}
                log.warning("leases not renewed", extra={**why, "held": len(held)})
            except Exception:  # if the keeper stopped, others would take over all work in progress
                log.exception("leases not renewed", extra={"held": len(held)})

    def _drop_hung(self) -> bool:
        with self._lock:
            long_ago = self._clock() - self._hold_seconds
            hung = [token for token, since in self._held.items() if since < long_ago]
            for token in hung:
                del self._held[token]
        if hung:
            log.critical(
                "lease held for too long: others take it over",
                extra={"tokens": [str(token) for token in hung]},
            )
        return bool(hung)
