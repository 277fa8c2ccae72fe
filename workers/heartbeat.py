"""Reports that a process lives, so that operators see idle workers, and miss those that are gone."""

import logging
import socket
import time
from collections.abc import Callable
from functools import partial

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from ace.errors import Unavailable
from ace.store import workers
from ace.store.database import transact
from ace.store.operating_tables import Part

log = logging.getLogger(__name__)


class Heartbeat:
    """The row of one process. A report that fails is made later: nothing depends on it but what is shown."""

    def __init__(
        self, db: Engine, part: Part, name: str, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._db = db
        self._name = name
        self._part = part
        self._host = socket.gethostname()
        self._clock = clock
        self._due_at = float("-inf")

    def begin(self) -> None:
        """The process starts."""
        self._write(partial(workers.begin, name=self._name, part=self._part, host=self._host))

    def beat(self) -> None:
        """The process lives. Called often, writes every `BEAT_SECONDS`."""
        if self._clock() >= self._due_at:
            self._write(partial(workers.beat, name=self._name, part=self._part, host=self._host))

    def end(self) -> None:
        """The process stops in order."""
        self._write(partial(workers.end, name=self._name))

    def _write(self, work: Callable[[Connection], None]) -> None:
        self._due_at = self._clock() + workers.BEAT_SECONDS
        try:
            transact(self._db, work, durable=False)
        except (Unavailable, DBAPIError) as error:  # also while the schema is older than this process
            log.debug("not reported", extra={"why": type(error).__name__})
