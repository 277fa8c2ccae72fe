"""Reads that many requests want at once, as when a wait ends: each is run once for all who wait for it.

Few run at a time, and fewer of one tenant, so that another tenant's read waits for a few at most.
Used on the event loop only; what is read is read and made into bytes in the threadpool.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from starlette.concurrency import run_in_threadpool

T = TypeVar("T")

AT_ONCE: Final = 4
TENANT_AT_ONCE: Final = 2
ANSWERS_TOGETHER: Final = 8  # in one round of the event loop: a long answer takes a millisecond to write


class SharedReads:
    """Runs reads; one that has not begun yet serves everybody who asks for the same."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, Hashable], asyncio.Future[Any]] = {}
        self._answering = 0
        self._all = asyncio.Semaphore(AT_ONCE)
        self._of: dict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(TENANT_AT_ONCE))

    async def of(self, tenant: str, what: Hashable, read: Callable[[], T]) -> T:
        """The result of `read`, begun after this call; `what` names it among those of the tenant."""
        waiting = self._waiting.get((tenant, what))
        if waiting is None:
            waiting = asyncio.ensure_future(self._run(tenant, what, read))
            self._waiting[tenant, what] = waiting
        result: T = await asyncio.shield(waiting)  # whoever gives up leaves it to the others
        return result

    async def answer(self) -> None:
        """Returns when the caller may answer: few do so in one round of the event loop."""
        rounds = self._answering // ANSWERS_TOGETHER
        self._answering += 1
        try:
            for _ in range(rounds):
                await asyncio.sleep(0)
        finally:
            asyncio.get_running_loop().call_soon(self._answered)  # in the next round

    def _answered(self) -> None:
        self._answering -= 1

    async def _run(self, tenant: str, what: Hashable, read: Callable[[], T]) -> T:
        async with self._of[tenant], self._all:
            del self._waiting[tenant, what]  # from now on it may be older than the question
            return await run_in_threadpool(read)
