"""Which requests are admitted: some at once, some after waiting; the rest are rejected."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ace.expert.protocol.refusals import Refusal


class Admission:
    """Admits `slots` requests at once, and lets `queue` more wait in order of arrival. Either may be 0."""

    def __init__(self, slots: int, queue: int = 0) -> None:
        self.in_flight = 0
        self.max_in_flight = 0
        self.busy_seconds = 0.0  # how long the slots were held that are free again
        self._slots = slots
        self._queue = queue
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        """How many requests wait for a slot."""
        return len(self._waiting)

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """A slot for as long as the block lasts. Raises Refusal "full"."""
        if self.in_flight >= self._slots:
            await self._wait()
        else:
            self._take()
        started = time.monotonic()
        try:
            yield
        finally:
            self.busy_seconds += time.monotonic() - started
            self._leave()

    def _take(self) -> None:
        self.in_flight += 1
        self.max_in_flight = max(self.max_in_flight, self.in_flight)

    async def _wait(self) -> None:
        if self.waiting >= self._queue:
            raise Refusal("full")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # the slot was handed over while the client left
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                self._take()
                turn.set_result(None)
                return
