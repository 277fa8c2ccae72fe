"""Notes when keys were last used: at most once a minute for each, beside the requests and not in them."""

import logging
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from ace.api.callers import Tenant
from ace.errors import Unavailable
from ace.store import keys
from ace.store.database import transact

log = logging.getLogger(__name__)


class KeyUses:
    """Writes from a thread of its own, so that no request waits. A use that cannot be written is left out."""

    def __init__(self, db: Engine, clock: Callable[[], float] = time.monotonic) -> None:
        self._db = db
        self._clock = clock
        self._noted: dict[str, float] = {}
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="key-uses")

    def note(self, caller: Tenant) -> None:
        """The caller's key is used now."""
        now = self._clock()
        if now - self._noted.get(caller.key_id, -math.inf) >= keys.USE_SECONDS:
            self._noted[caller.key_id] = now
            self._writer.submit(self._write, caller)

    def flush(self) -> None:
        """Returns once everything that was noted before is written."""
        self._writer.submit(lambda: None).result()

    def close(self) -> None:
        """Writes what was noted, and ends the thread."""
        self._writer.shutdown()

    def _write(self, caller: Tenant) -> None:
        work = partial(keys.note_use, key_id=caller.key_id)
        try:
            transact(self._db, work, durable=False, tenant=caller.name)
        except (Unavailable, DBAPIError) as error:
            log.warning("the use of a key was not noted", extra={"error": type(error).__name__})
