"""Who is let in: so many at once, so many waiting, the rest turned away."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ace.expert.protocol.refusals import Refusal


class Admission:
    """`slots` requests at once and `queue` that wait in the order of their coming; 0 of either is allowed."""

    def __init__(self, slots: int, queue: int = 0) -> None:
        self.in_flight = 0
        self.max_in_flight = 0
        self.busy_seconds = 0.0  # how long places were held that are free again
        self._slots = slots
        self._queue = queue
        self._line: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._line)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
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
        self._line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()  # the slot was handed over as the client left
            elif turn in self._line:
                self._line.remove(turn)
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        while self._line:
            turn = self._line.popleft()
            if not turn.done():
                self._take()
                turn.set_result(None)
                return
