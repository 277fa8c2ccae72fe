"""Hints that something changed: who waits for them, and one look for all.

A hint carries nothing. Whoever gets one asks for what it shows again, so a hint may be lost, repeated or
merged with the next. The watcher's thread looks; the streams themselves are in hint_stream.py.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final
from uuid import UUID

from sqlalchemy import Connection

from ace.store import overview

LOOK_SECONDS: Final = 0.5  # between two looks: changes meanwhile become one hint


class Subscription:
    """One stream: whose it is, of which filing if of one alone, and what was seen last."""

    def __init__(self, tenant: str, filing: UUID | None) -> None:
        self.tenant = tenant
        self.filing = filing
        self.seen: str | None = None
        self.changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def tell(self) -> None:
        """Wakes the stream, from any thread."""
        with suppress(RuntimeError):  # its loop has closed, so nobody listens
            self._loop.call_soon_threadsafe(self.changed.set)


class Hints:
    """The streams that are open, and what changed for each."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open: set[Subscription] = set()
        self._looked_at = float("-inf")

    @contextmanager
    def subscribed(self, tenant: str, filing: UUID | None) -> Iterator[Subscription]:
        """An open stream. The first look brings its first hint: anything may have changed before."""
        one = Subscription(tenant, filing)
        with self._lock:
            self._open.add(one)
        try:
            yield one
        finally:
            with self._lock:
                self._open.discard(one)

    @property
    def due(self) -> bool:
        """Whether it is time for a look."""
        return bool(self._open) and self._clock() - self._looked_at >= LOOK_SECONDS

    def look(self, connection: Connection) -> None:
        """Compares what is stored with what each stream has seen, by two statements for all of them."""
        self._looked_at = self._clock()
        with self._lock:
            streams = list(self._open)
        tenants = {one.tenant for one in streams if one.filing is None}
        filings = {one.filing for one in streams if one.filing is not None}
        of_tenants = overview.fingerprints(connection, tenants) if tenants else {}
        of_filings = overview.filings_moved(connection, filings) if filings else {}
        for one in streams:
            if one.filing is None:
                now = of_tenants.get(one.tenant, "")
            else:
                now = of_filings.get((one.tenant, one.filing), "")
            if now != one.seen:
                one.seen = now
                one.tell()

    def release(self) -> None:
        """Wakes every stream, so that it sees that it is to end."""
        with self._lock:
            streams = list(self._open)
        for one in streams:
            one.tell()
