"""A stream of hints as server-sent events (WHATWG HTML, section 9.2). It holds no thread, no connection."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final
from uuid import UUID

from fastapi.sse import EventSourceResponse
from starlette.types import Receive, Scope, Send

from ace.api.hints import Subscription
from ace.api.watcher import Watcher

HINT: Final = "event: filings\ndata: {}\n\n"
PING_SECONDS: Final = 15.0  # between two signs of life, so that no proxy thinks the stream dead
STREAM_SECONDS: Final = 600  # after which a client opens the next one, with a key that is still in force


class HintStream(EventSourceResponse):
    """The stream of a tenant, or of one of its filings. Raises TooMuch before it begins, if many are open."""

    def __init__(self, watcher: Watcher, tenant: str, filing: UUID | None, seconds: float) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(_nothing(), headers=headers)
        self._watcher = watcher
        self._tenant = tenant
        self._filing = filing
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Holds a place among the tenant's waiting requests for as long as it is open."""
        watcher = self._watcher
        with (
            watcher.admitted(self._tenant),
            watcher.hints.subscribed(self._tenant, self._filing) as one,
        ):
            self.body_iterator = self._messages(one)
            await super().__call__(scope, receive, send)

    async def _messages(self, one: Subscription) -> AsyncIterator[str]:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._seconds
        yield ": hints\n\n"
        while not self._watcher.stopped and (left := until - loop.time()) > 0:
            try:
                async with asyncio.timeout(min(left, PING_SECONDS)):
                    await one.changed.wait()
            except TimeoutError:
                yield ": nothing new\n\n"
                continue
            one.changed.clear()
            if not self._watcher.stopped:
                yield HINT


async def _nothing() -> AsyncIterator[str]:
    """The body of a stream that has not begun."""
    return
    yield ""
